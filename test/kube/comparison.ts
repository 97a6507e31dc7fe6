import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A suite's report for the end of `npm test`; scripts/test.mjs reads it. */
export interface ComparisonReport {
  /** The suite in one or two words: `exchanges`. */
  readonly name: string
  /** The comparison, with numbers; absent if there was none. */
  readonly compared?: string
  /** The missing parts, if nothing was compared. */
  readonly missing?: readonly string[]
  /** Why this machine cannot compare it; one clause. */
  readonly impossible?: string
}

const folder = resolve(import.meta.dirname, '..', '..', '.tmp', 'comparisons')

function leave(report: ComparisonReport, line: string): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${encodeURIComponent(report.name)}.json`)
  writeFileSync(file, JSON.stringify(report))
  process.stdout.write(`${line}\n`)
}

/** Reports the comparison of a suite: a line now, and again at the end of `npm test`. */
export function reportComparison(name: string, sentence: string): void {
  leave({ name, compared: sentence }, `${name}: ${sentence}`)
}

/** Reports that a suite compared nothing because of missing parts; in one line with others at the end of `npm test`. */
export function reportMissing(name: string, parts: readonly string[]): void {
  const line = `${name}: not compared, ${parts.join(' and ')} not found; npm run kube:build ${parts.join(' ')} brings them`
  leave({ name, missing: parts }, line)
}

/** That this machine cannot compare it, whatever is built. */
export function reportImpossible(name: string, why: string): void {
  leave({ name, impossible: why }, `${name}: not compared, ${why}`)
}
