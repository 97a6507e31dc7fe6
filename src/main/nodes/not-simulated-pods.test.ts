import { describe, expect, it } from 'vitest'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import { notSimulatedOf } from './not-simulated-pods.ts'

function pod(uid: string, value: string): Pod {
  return {
    metadata: { name: uid, uid },
    spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'E', value }] }] },
  }
}

describe('notSimulatedOf', () => {
  it('checks pods of one template once', () => {
    expect(notSimulatedOf(pod('a', 'x'), true)).toBe(notSimulatedOf(pod('b', 'x'), true))
  })

  it('does not cache a long spec beyond its pod', () => {
    const value = 'x'.repeat(100_000)
    const found = notSimulatedOf(pod('a', value), true)
    expect(notSimulatedOf(pod('b', value), true)).not.toBe(found)
    expect(notSimulatedOf(pod('b', value), true)).toEqual(found)
  })
})
