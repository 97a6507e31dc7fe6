import { describe, expect, it } from 'vitest'
import { simulationArguments } from './arguments.ts'

describe('simulationArguments', () => {
  it('reads the options', () => {
    const line =
      '--seed 7 --hours 0.5 --nodes 3 --runs 2 --owners no --quiet no --only 4,9 --about web'
    expect(simulationArguments(line.split(' '), 0)).toEqual({
      ok: true,
      value: {
        seed: 7,
        hours: 0.5,
        nodes: 3,
        runs: 2,
        withOwners: false,
        endsQuietly: false,
        only: [4, 9],
        about: 'web',
      },
    })
  })

  it('defaults to a seed from the time, one hour and two nodes', () => {
    expect(simulationArguments([], 1_234_567_890)).toEqual({
      ok: true,
      value: { seed: 567_890, hours: 1, nodes: 2, runs: 1, withOwners: true, endsQuietly: true },
    })
  })

  it.each([
    '--seed',
    '--seed x',
    '--seed 1.5',
    '--seed -1',
    '--hours 0',
    '--hours x',
    '--nodes 0',
    '--nodes 51',
    '--runs 0',
    '--quiet maybe',
    '--owners 1',
    '--only a',
    '--what 1',
  ])('refuses %s with the usage', (line) => {
    const parsed = simulationArguments(line.split(' '), 0)
    expect(parsed.ok ? '' : parsed.error).toMatch(/^Use: npm run simulate -- /)
  })
})
