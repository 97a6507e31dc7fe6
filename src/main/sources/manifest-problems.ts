import { basename } from 'node:path'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import { manifestKey } from './manifest-store.ts'
import type { StoredManifest } from './manifest-store.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

/** The manifests and the last SET. */
export interface ManifestSnapshot {
  /** The result of reading each file, by path. */
  readonly readings: ReadonlyMap<string, ManifestReading>
  /** The pods of the last SET, by key. */
  readonly sent: ReadonlyMap<string, StoredManifest>
  /** The source is one manifest file: an invalid one changes nothing. */
  readonly isSingleFile: boolean
}

function rejectedProblem(
  path: string,
  reading: ManifestReading & { readonly kind: 'rejected' },
  runningKey: string | undefined,
  { isSingleFile }: ManifestSnapshot,
): SourceProblem {
  const { message, line, column } = reading.problem
  if (runningKey === undefined) return { where: path, message, line, column }
  const until = isSingleFile
    ? 'keeps running unchanged'
    : 'keeps running until the next full scan of the folder, within 20 s, and is then stopped'
  return { where: path, message: `${message} Its pod ${runningKey} ${until}.`, line, column }
}

/** Files by the pod that they define, sorted: the last one wins at a full scan. */
export function filesByKey(
  readings: ManifestSnapshot['readings'],
): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const path of [...readings.keys()].toSorted()) {
    const reading = readings.get(path)
    if (reading?.kind !== 'pod') continue
    const key = manifestKey(reading.pod)
    const others = files.get(key)
    if (others === undefined) files.set(key, [path])
    else others.push(path)
  }
  return files
}

function conflictProblems(snapshot: ManifestSnapshot): readonly SourceProblem[] {
  return [...filesByKey(snapshot.readings)].flatMap(([key, paths]) => {
    const winner = snapshot.sent.get(key)?.path
    const last = paths.at(-1)
    return paths
      .filter((path) => path !== winner)
      .map((path): SourceProblem => {
        const message =
          winner === undefined
            ? `Pod ${key} is stopped, because another file that defined it was removed; it is recreated at the next full scan of the folder, within 20 s.`
            : `Pod ${key} is also defined by ${basename(winner)}, which takes precedence${
                winner === last
                  ? ''
                  : ` until the next full scan of the folder; then ${basename(last ?? '')} does`
              }.`
        return { where: path, message, line: null, column: null }
      })
  })
}

function ownProblems(snapshot: ManifestSnapshot): readonly SourceProblem[] {
  const runningKeys = new Map<string, string>()
  for (const [key, { path }] of snapshot.sent)
    if (!runningKeys.has(path)) runningKeys.set(path, key)
  return [...snapshot.readings].flatMap(([path, reading]): readonly SourceProblem[] =>
    reading.kind === 'rejected'
      ? [rejectedProblem(path, reading, runningKeys.get(path), snapshot)]
      : reading.warnings.map((warning) => ({ where: path, ...warning })),
  )
}

/** The problems of the folder, by path and line. */
export function manifestProblems(snapshot: ManifestSnapshot): readonly SourceProblem[] {
  return [...ownProblems(snapshot), ...conflictProblems(snapshot)].toSorted(
    (a, b) => (a.where < b.where ? -1 : a.where > b.where ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  )
}

/** Each problem is sent to every page. */
const maxProblems = 200

/** The first problems of a source, and one with the number of the others. `where` names the source. */
export function firstProblems(
  problems: readonly SourceProblem[],
  where: string,
): readonly SourceProblem[] {
  const more = problems.length - maxProblems
  if (more <= 0) return problems
  const message = `${more} more problems are not listed here.`
  return [...problems.slice(0, maxProblems), { where, message, line: null, column: null }]
}
