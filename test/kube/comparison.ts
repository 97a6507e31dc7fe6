import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What a suite leaves for the end of `npm test`; scripts/test.mjs reads it. */
export interface ComparisonReport {
  /** The suite in one or two words: `exchanges`. */
  readonly name: string
  /** What was compared, with numbers; absent where nothing was. */
  readonly compared?: string
  /** The parts without which nothing was compared. */
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

/** What a suite compared with the real thing: a line now, and again at the end of `npm test`. */
export function reportComparison(name: string, sentence: string): void {
  leave({ name, compared: sentence }, `${name}: ${sentence}`)
}

/** That a suite compared nothing, since the parts are not here; at the end of `npm test` in one line with others. */
export function reportMissing(name: string, parts: readonly string[]): void {
  const line = `${name}: not compared, ${parts.join(' and ')} not found; npm run kube:build ${parts.join(' ')} brings them`
  leave({ name, missing: parts }, line)
}

/** That this machine cannot compare it, whatever is built. */
export function reportImpossible(name: string, why: string): void {
  leave({ name, impossible: why }, `${name}: not compared, ${why}`)
}
