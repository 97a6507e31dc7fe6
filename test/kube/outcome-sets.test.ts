import { describe, expect, it } from 'vitest'
import { chanceOf, compareRuns } from './integration/outcome-sets.ts'

function runs(...outcomes: readonly string[]): readonly { readonly events: string }[] {
  return outcomes.map((events) => ({ events }))
}

function verdictOf(ours: string, real: string): string | undefined {
  return compareRuns(runs(...ours.split(' ')), runs(...real.split(' ')))[0]?.verdict
}

describe('sets of outcomes', () => {
  it.each([
    [5, 5, 0, 5, 2 / 252],
    [4, 5, 0, 5, 12 / 252],
    [3, 4, 1, 4, 34 / 70],
    [2, 5, 2, 5, 1],
    [0, 5, 0, 5, 1],
  ])('%i of %i beside %i of %i has the probability of the exact test', (a, b, c, d, expected) => {
    expect(chanceOf(a, b, c, d)).toBeCloseTo(expected, 10)
  })

  it.each([
    ['a a b b a', 'a b a b a', 'same'],
    ['a a a a a', 'a a a a b', 'by chance'],
    ['a a a a a', 'a b b b b', 'different'],
    ['a a a a a', 'b b b b b', 'different'],
  ])('%s beside %s: %s', (ours, real, verdict) => {
    expect(verdictOf(ours, real)).toBe(verdict)
  })

  it('counts each outcome on both, the most frequent first', () => {
    expect(compareRuns(runs('a', 'b', 'b'), runs('b', 'c', 'b'))[0]?.counts).toEqual([
      { outcome: 'b', ours: 2, real: 2 },
      { outcome: 'a', ours: 1, real: 0 },
      { outcome: 'c', ours: 0, real: 1 },
    ])
  })
})
