import { describe, expect, it } from 'vitest'
import { eventText, failureText, resultText, totalText } from './report.ts'
import { simulationStartAt } from './simulation.ts'
import type { SimulationResult } from './simulation.ts'

const good: SimulationResult = {
  options: { seed: 7, hours: 2, nodes: 3 },
  steps: Array.from({ length: 20 }, (_, index) => ({
    number: index + 1,
    atMs: 3_600_000 + index * 1500,
    words: `does ${index + 1}`,
  })),
  counts: new Map([
    ['restart an agent', 4],
    ['cut a node off', 5],
    ['drop watches', 6],
    ['slow a runtime call', 7],
    ['create an owner', 8],
    ['restart a rollout', 9],
    ['drain', 10],
  ]),
  events: 1000,
  passedMs: 7_200_000,
  digest: '0123456789abcdef0123',
  violations: [],
}
const bad: SimulationResult = {
  ...good,
  options: { ...good.options, only: [1, 2] },
  passedMs: 3_630_250,
  violations: [{ invariant: 6, what: 'web was written without a change' }],
}

describe('the report of a simulation', () => {
  it('has one line about the simulation', () => {
    expect(resultText(good, 3.21)).toBe(
      'seed 7: 2.00 virtual hours of 3 nodes in 3.2 s, 20 steps, 1000 events, digest 0123456789abcdef, all invariants held',
    )
    expect(resultText(bad, 1)).toContain('1 invariants did not hold')
  })

  it('has the seed, the step, the time, the invariant, the last steps and the command of a failure', () => {
    const lines = failureText(bad).split('\n')
    expect(lines.slice(0, 5)).toEqual([
      'seed 7, step 20, 1:00:30.250 after the start: these invariants did not hold:',
      '  6. Every API write has a higher resource version than all earlier writes, and changes the object.',
      '     web was written without a change',
      'The last steps:',
      '  6 at 1:00:07.500: does 6',
    ])
    expect(lines.at(-2)).toBe('  20 at 1:00:28.500: does 20')
    expect(lines.at(-1)).toBe(
      'Again: npm run simulate -- --seed 7 --hours 2 --nodes 3 --owners no --quiet no --only 1,2',
    )
  })

  it('has the totals of several runs', () => {
    expect(totalText([good, bad])).toBe(
      'simulation: 3.01 virtual hours in 2 runs, 40 steps, 2000 events: 8 restarts, 10 outages, 12 lost connections, 14 kinds of bad runtime calls, 16 creations of owners, 18 rollouts, 20 evictions; 1 invariants did not hold',
    )
  })

  it('has one line for a trace event', () => {
    const line = eventText({
      seq: 9,
      at: simulationStartAt + 61_500,
      cluster: 'sandbox',
      node: 'n1',
      kind: 'loop.sync',
      subject: { kind: 'node' },
      causes: [7, 8],
      data: { pods: 2 },
    })
    expect(line).toBe('9 0:01:01.500 n1 loop.sync  {"pods":2} <- 7 8')
  })
})
