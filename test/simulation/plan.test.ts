import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/main/clock/seeded-random.ts'
import { planOf } from './plan.ts'

const kinds = [
  { kind: 'often', weight: 9 },
  { kind: 'seldom', weight: 1 },
]
const minuteMs = 60_000

describe('planOf', () => {
  it('plans rounds of twenty minutes that end with a time without faults, and numbers the steps', () => {
    const rounds = planOf(seededRandom(1), { hours: 1, kinds })
    expect(
      rounds.map(({ settleAtMs, endAtMs }) => [settleAtMs / minuteMs, endAtMs / minuteMs]),
    ).toEqual([
      [14, 20],
      [34, 40],
      [54, 60],
    ])
    const steps = rounds.flatMap((round) => round.steps)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1))
    for (const [index, round] of rounds.entries())
      for (const { atMs } of round.steps) {
        expect(atMs).toBeGreaterThanOrEqual(index * 20 * minuteMs)
        expect(atMs).toBeLessThan(round.settleAtMs)
      }
  })

  it('chooses kinds by weight', () => {
    const steps = planOf(seededRandom(1), { hours: 10, kinds }).flatMap((round) => round.steps)
    const seldom = steps.filter(({ kind }) => kind === 'seldom').length / steps.length
    expect(seldom).toBeGreaterThan(0.06)
    expect(seldom).toBeLessThan(0.14)
  })

  it('is the same for the same seed, and has at least one round', () => {
    const plan = (seed: number) => planOf(seededRandom(seed), { hours: 0.01, kinds })
    expect(plan(5)).toEqual(plan(5))
    expect(plan(5)).not.toEqual(plan(6))
    expect(plan(5)).toHaveLength(1)
  })
})
