import { err, ok } from '../../src/shared/result.ts'
import type { Result } from '../../src/shared/result.ts'

export interface SimulationArguments {
  readonly seed: number
  readonly hours: number
  readonly nodes: number
  /** How many runs, each with the next seed. */
  readonly runs: number
  readonly withOwners: boolean
  readonly endsQuietly: boolean
  readonly only?: readonly number[]
  /** Name of a pod of which every event is printed. */
  readonly about?: string
}

const use =
  'Use: npm run simulate -- [--seed N] [--hours H] [--nodes N] [--runs N] [--owners yes|no] [--quiet yes|no] [--only 1,2,3 (steps)] [--about POD]'

/** What the command line asks for. Without `--seed` it is taken from the time, in ms since 1970. Error: how to use it. */
export function simulationArguments(
  words: readonly string[],
  now: number,
): Result<SimulationArguments, string> {
  const given = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value] = words.slice(at, at + 2)
    if (
      ![
        '--seed',
        '--hours',
        '--nodes',
        '--runs',
        '--owners',
        '--quiet',
        '--only',
        '--about',
      ].includes(name)
    )
      return err(use)
    if (value === undefined) return err(use)
    given.set(name, value)
  }
  const seed = Number(given.get('--seed') ?? now % 1_000_000)
  const hours = Number(given.get('--hours') ?? 1)
  const nodes = Number(given.get('--nodes') ?? 2)
  const runs = Number(given.get('--runs') ?? 1)
  const owners = given.get('--owners') ?? 'yes'
  const quiet = given.get('--quiet') ?? 'yes'
  const only = given.get('--only')?.split(',').map(Number)
  const about = given.get('--about')
  const isWhole = [seed, nodes, runs, ...(only ?? [])].every((number) =>
    Number.isSafeInteger(number),
  )
  if (!isWhole || seed < 0 || !(hours > 0) || nodes < 1 || nodes > 50 || runs < 1) return err(use)
  if (![owners, quiet].every((word) => word === 'yes' || word === 'no')) return err(use)
  return ok({
    seed,
    hours,
    nodes,
    runs,
    withOwners: owners === 'yes',
    endsQuietly: quiet === 'yes',
    ...(only === undefined ? {} : { only }),
    ...(about === undefined ? {} : { about }),
  })
}
