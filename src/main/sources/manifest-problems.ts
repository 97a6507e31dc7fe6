import { basename } from 'node:path'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import { manifestKey } from './manifest-store.ts'
import type { StoredManifest } from './manifest-store.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

/** All that the list of problems is made of. */
export interface ManifestSituation {
  /** What each file holds, by path. */
  readonly readings: ReadonlyMap<string, ManifestReading>
  /** The pods of the last SET, by key. */
  readonly sent: ReadonlyMap<string, StoredManifest>
  /** One manifest file is the whole source: a broken one changes nothing. */
  readonly isSingleFile: boolean
}

function rejectedProblem(
  path: string,
  reading: ManifestReading & { readonly kind: 'rejected' },
  runningKey: string | undefined,
  { isSingleFile }: ManifestSituation,
): SourceProblem {
  const { message, line, column } = reading.problem
  if (runningKey === undefined) return { where: path, message, line, column }
  const until = isSingleFile
    ? 'keeps running unchanged'
    : 'keeps running until the next full scan of the folder, within 20 s, and is then stopped'
  return { where: path, message: `${message} Its pod ${runningKey} ${until}.`, line, column }
}

/** Files by the pod that they define; within one pod sorted, so that the last wins at a relist. */
function filesByKey(readings: ManifestSituation['readings']): ReadonlyMap<string, string[]> {
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

function conflictProblems(situation: ManifestSituation): readonly SourceProblem[] {
  return [...filesByKey(situation.readings)].flatMap(([key, paths]) => {
    const winner = situation.sent.get(key)?.path
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

function ownProblems(situation: ManifestSituation): readonly SourceProblem[] {
  const runningKeys = new Map<string, string>()
  for (const [key, { path }] of situation.sent)
    if (!runningKeys.has(path)) runningKeys.set(path, key)
  return [...situation.readings].flatMap(([path, reading]): readonly SourceProblem[] =>
    reading.kind === 'rejected'
      ? [rejectedProblem(path, reading, runningKeys.get(path), situation)]
      : reading.warnings.map((warning) => ({ where: path, ...warning })),
  )
}

/** What is wrong in the folder now, by path and line. */
export function manifestProblems(situation: ManifestSituation): readonly SourceProblem[] {
  return [...ownProblems(situation), ...conflictProblems(situation)].toSorted(
    (a, b) => (a.where < b.where ? -1 : a.where > b.where ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  )
}

/** As many as anybody reads; each goes to every page. */
const maxProblems = 200

/** The first of a source's problems, and one that says how many there are beside them. `where` names the source. */
export function firstProblems(
  problems: readonly SourceProblem[],
  where: string,
): readonly SourceProblem[] {
  const more = problems.length - maxProblems
  if (more <= 0) return problems
  const message = `${more} more problems are not listed here.`
  return [...problems.slice(0, maxProblems), { where, message, line: null, column: null }]
}
