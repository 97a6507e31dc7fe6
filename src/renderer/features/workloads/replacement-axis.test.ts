import { describe, expect, it } from 'vitest'
import { replacementAxis } from './replacement-axis.ts'

const gone = {
  uid: 'a',
  name: 'a',
  createdAt: 0,
  leftAt: 100_000,
  endedAt: 130_000,
  how: 'deleted',
}
const made = { uid: 'b', name: 'b', createdAt: 101_000, boundAt: 102_000 }

describe('the axis of a replacement', () => {
  it('has the end of one pod and the begin of the other at their times', () => {
    const axis = replacementAxis({ owner: 'o', gone, made }, 500_000)
    expect(axis.ran).toEqual({ from: 0, to: 0.25 })
    expect(axis.stopping).toEqual({ from: 0.25, to: 1 })
    expect(axis.made).toBeCloseTo(0.275)
    expect(axis.onNode?.to).toBe(1)
  })

  it('goes on to now while the end is still to come', () => {
    const open = { owner: 'o', gone: { ...gone, endedAt: null }, made: { ...made, boundAt: null } }
    const axis = replacementAxis(open, 160_000)
    expect(axis.stopping?.to).toBe(1)
    expect(axis.withoutNode.to).toBe(1)
    expect(axis.onNode).toBeUndefined()
  })
})
