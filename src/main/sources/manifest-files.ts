import { basename } from 'node:path'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import type { ManifestState } from '../../shared/model/manifests.ts'
import { manifestProblems } from './manifest-problems.ts'
import type { ManifestSnapshot } from './manifest-problems.ts'
import { manifestKey } from './manifest-store.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

/** The manifest folder at its last scan. */
export interface FolderSnapshot extends ManifestSnapshot {
  /** The configured path: the folder, or the single file in it. */
  readonly path: string
  readonly folder: string
  /** Ignored entries, by path, with the reason in one sentence. */
  readonly skipped: ReadonlyMap<string, string>
  /** The newest valid text of each file, by path. */
  readonly goodTexts: ReadonlyMap<string, string | null>
}

/** One entry of the folder. */
export interface FolderFile {
  readonly name: string
  readonly path: string
  readonly state: ManifestState
  /** Undefined if the file defines none, or cannot be decoded. */
  readonly pod: Pod | undefined
  readonly problem: SourceProblem | null
  readonly note: string
  readonly hasGoodVersion: boolean
}

function stateOf(
  path: string,
  reading: ManifestReading,
  sent: ManifestSnapshot['sent'],
): ManifestState {
  if (reading.kind === 'rejected') return 'rejected'
  const winner = sent.get(manifestKey(reading.pod))?.path
  if (winner === undefined) return 'waiting'
  return winner === path ? 'running' : 'shadowed'
}

/** The state of each entry, sorted by name. */
export function manifestFiles(snapshot: FolderSnapshot): readonly FolderFile[] {
  const problems = new Map<string, SourceProblem>()
  for (const problem of manifestProblems(snapshot))
    if (!problems.has(problem.where)) problems.set(problem.where, problem)
  const read = [...snapshot.readings].map(([path, reading]): FolderFile => {
    const state = stateOf(path, reading, snapshot.sent)
    const problem = problems.get(path) ?? null
    const isShadowed = state === 'shadowed'
    return {
      name: basename(path),
      path,
      state,
      pod: reading.kind === 'pod' ? reading.pod : undefined,
      problem: isShadowed ? null : problem,
      note: isShadowed ? (problem?.message ?? '') : '',
      hasGoodVersion: state === 'rejected' && (snapshot.goodTexts.get(path) ?? null) !== null,
    }
  })
  const skipped = [...snapshot.skipped].map(([path, note]): FolderFile => {
    const nothing = { pod: undefined, problem: null, hasGoodVersion: false }
    return { name: basename(path), path, state: 'skipped', note, ...nothing }
  })
  return [...read, ...skipped].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
