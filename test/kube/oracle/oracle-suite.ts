import { afterAll, describe, it } from 'vitest'
import { reportComparison, reportMissing } from '../comparison.ts'
import { compareFunction, type ComparedFunction } from './driving.ts'
import { startOracle, type Oracle, type Subject } from './oracle.ts'

interface OracleSuite {
  /** Name in the report of `npm test`. */
  readonly name: string
  readonly subject: Subject
  readonly title: string
  /** The line about the comparison, after all tests. */
  readonly summary: () => string
}

/** Declares tests against the oracle. Without its binary they are skipped and reported as missing. */
export async function describeOracle(
  { name, subject, title, summary }: OracleSuite,
  tests: (oracle: Oracle) => void,
): Promise<void> {
  const found = await startOracle(subject, process.env)
  // Hooks do not run where all tests are skipped.
  if ('missing' in found) reportMissing(name, found.missing)
  afterAll(async () => {
    if ('missing' in found) return
    reportComparison(name, summary())
    await found.stop()
  })
  describe.skipIf('missing' in found)(title, () => {
    // Skipped tests do not use it.
    tests(found as Oracle)
  })
}

/** Declares a test for each compared function; adds its title and its number of values to `counts`. */
export function functionComparisons(
  oracle: Oracle,
  counts: string[],
): <T>(title: string, compared: ComparedFunction<T>) => void {
  return (title, compared) => {
    it(title, { timeout: 120_000 }, async () => {
      const count = await compareFunction(oracle, compared)
      counts.push(`${title} ${count.toLocaleString('en')}`)
    })
  }
}
