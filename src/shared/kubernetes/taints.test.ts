import { describe, expect, it } from 'vitest'
import type { Taint, Toleration } from './objects.ts'
import { toleratesTaint } from './taints.ts'

describe('toleratesTaint', () => {
  const taint: Taint = { key: 'k', value: 'v', effect: 'NoExecute' }
  it.each<readonly [boolean, Toleration]>([
    [true, { operator: 'Exists' }],
    [true, { operator: 'Exists', effect: 'NoExecute' }],
    [false, { operator: 'Exists', effect: 'NoSchedule' }],
    [true, { key: 'k', operator: 'Exists' }],
    [true, { key: 'k', value: 'v' }],
    [false, { key: 'k', value: 'w' }],
    [false, { key: 'other', operator: 'Exists' }],
    [true, { value: 'v' }],
    [false, { value: 'w' }],
    [false, {}],
  ])('%s for %j', (tolerated, toleration) => {
    expect(toleratesTaint(toleration, taint)).toBe(tolerated)
  })
})
