import { afterAll, describe, expect, it } from 'vitest'
import { failureText, resultText, totalText } from './report.ts'
import { simulate } from './simulation.ts'
import type { SimulationOptions, SimulationResult } from './simulation.ts'

const hours = 2
const fixed: readonly Pick<SimulationOptions, 'seed' | 'nodes'>[] = [
  { seed: 1, nodes: 1 },
  { seed: 2, nodes: 1 },
  { seed: 3, nodes: 3 },
  { seed: 4, nodes: 1 },
  { seed: 5, nodes: 2 },
  { seed: 6, nodes: 1 },
  { seed: 7, nodes: 1 },
  { seed: 8, nodes: 1 },
  { seed: 9, nodes: 1 },
  // The scheduler preempts one mirror again and again.
  { seed: 752518, nodes: 2 },
]
// A new seed each time: a failure is printed with the command that repeats it.
const fresh = { seed: Date.now() % 1_000_000, nodes: 2 }

const results: SimulationResult[] = []

async function run(options: SimulationOptions): Promise<void> {
  const startedAt = performance.now()
  const result = await simulate(options)
  results.push(result)
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`${resultText(result, seconds)}\n`)
  expect(result.violations, failureText(result)).toEqual([])
}

describe('nodes with random faults', () => {
  afterAll(() => {
    process.stdout.write(`${totalText(results)}\n`)
  })

  it.each(fixed)(
    'keep all invariants for two virtual hours (seed $seed, $nodes nodes)',
    (options) => run({ ...options, hours }),
    300_000,
  )

  it('keep them with a fresh seed too', () => run({ ...fresh, hours }), 300_000)
})

describe('owners, the scheduler and nodes with random faults', () => {
  it.each([
    { seed: 2, nodes: 2, hours: 2 / 3 },
    { seed: 4, nodes: 2, hours: 2 / 3 },
  ])(
    'keep all invariants, and then a quiet hour (seed $seed, $nodes nodes)',
    (options) => run({ ...options, withOwners: true, endsQuietly: true }),
    300_000,
  )
})

describe('a simulation', () => {
  const short = { seed: 42, hours: 1 / 3, nodes: 2 } as const

  it('is deterministic for a seed', async () => {
    const [one, other] = [await simulate(short), await simulate(short)]
    expect(other.digest).toBe(one.digest)
    expect(other.steps).toEqual(one.steps)
    expect(one.steps.length).toBeGreaterThan(20)
  })

  it('differs with another seed', async () => {
    const [one, other] = [await simulate(short), await simulate({ ...short, seed: 43 })]
    expect(other.digest).not.toBe(one.digest)
  })

  it('takes only the selected steps, at their times', async () => {
    const all = await simulate(short)
    const some = await simulate({ ...short, only: [3, 7] })
    const timesOf = ({ steps }: SimulationResult): readonly (readonly [number, number])[] =>
      steps.map(({ number, atMs }) => [number, atMs])
    expect(timesOf(some)).toEqual(timesOf(all).filter(([number]) => number === 3 || number === 7))
    expect(some.violations).toEqual([])
  })
})
