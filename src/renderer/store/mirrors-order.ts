import { assertNever } from '../../shared/assert-never.ts'
import type { MirrorState, PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { RowChange, RowTable } from './row-table.ts'

/** How a static pod and a mirror of one full name stand to each other. */
export type PairState = 'equal' | 'differs' | 'missing' | 'deleting' | 'orphaned'

/** A full name on one node with the row that speaks for it. */
export interface Pair {
  /** `<cluster>/<node>/<namespace>/<name>`: outlives an edit of the manifest, which changes the UID. */
  readonly id: string
  readonly key: PodKey
  readonly state: PairState
}

function pairId(row: PodRow): string {
  return `${row.cluster}/${row.node}/${row.namespace}/${row.name}`
}

function ofMirror(mirror: MirrorState): PairState {
  switch (mirror) {
    case 'matched':
      return 'equal'
    case 'stale':
      return 'differs'
    case 'missing':
    case 'deleting':
      return mirror
    default:
      return assertNever(mirror, 'mirror state')
  }
}

/** Undefined: a regular pod, which is no half of a pair. Pure. */
function pairState(row: PodRow): PairState | undefined {
  if (row.kind === 'mirror') return 'orphaned'
  return row.mirror === null ? undefined : ofMirror(row.mirror)
}

/**
 * Of the static pods that share a full name one is wanted; the others are on their way out and only
 * hold the name a while longer (semantics 4.5).
 */
function leavingRank(row: PodRow): number {
  switch (row.worker) {
    case 'SyncPod':
    case 'waiting':
      return 0
    case 'TerminatedAndRecreatedPod':
    case 'none':
      return 1
    case 'TerminatingPod':
    case 'TerminatedPod':
    case 'finished':
      return 2
    default:
      return assertNever(row.worker, 'worker state')
  }
}

/** An orphan stands back behind any static pod of its name. */
function speaksBefore(left: PodRow, right: PodRow): boolean {
  if ((left.kind === 'mirror') !== (right.kind === 'mirror')) return right.kind === 'mirror'
  return leavingRank(left) < leavingRank(right)
}

function isBefore(left: Pair, right: Pair): number {
  const leftRank = left.state === 'equal' ? 1 : 0
  const rightRank = right.state === 'equal' ? 1 : 0
  if (leftRank !== rightRank) return leftRank - rightRank
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0
}

function isSame(left: readonly Pair[], right: readonly Pair[]): boolean {
  return (
    left.length === right.length &&
    left.every((pair, index) => {
      const other = right[index]
      return pair.id === other?.id && pair.key === other.key && pair.state === other.state
    })
  )
}

/** Pairs from rows: what is not a pair first, then by full name. Pure. */
function pairsOf(rows: Iterable<PodRow>): readonly Pair[] {
  const speakers = new Map<string, PodRow>()
  for (const row of rows) {
    if (pairState(row) === undefined) continue
    const id = pairId(row)
    const before = speakers.get(id)
    if (before === undefined || speaksBefore(row, before)) speakers.set(id, row)
  }
  return [...speakers]
    .flatMap(([id, row]): readonly Pair[] => {
      const state = pairState(row)
      return state === undefined ? [] : [{ id, key: row.key, state }]
    })
    .toSorted(isBefore)
}

/** The pairs among the rows; made anew only when a row of one of them has changed. */
export class PairOrder {
  readonly #rows: RowTable
  readonly #listeners = new Set<() => void>()
  #pairs: readonly Pair[]
  #unsubscribe: (() => void) | undefined

  constructor(deps: { readonly rows: RowTable }) {
    this.#rows = deps.rows
    this.#pairs = pairsOf(deps.rows.values())
  }

  start(): void {
    this.#unsubscribe = this.#rows.subscribe((change) => this.#follow(change))
    this.#follow({ kind: 'all' })
  }

  stop(): void {
    this.#unsubscribe?.()
  }

  /** The same array until something in it changes. */
  pairs = (): readonly Pair[] => this.#pairs

  byId(id: string | null): Pair | undefined {
    return this.#pairs.find((pair) => pair.id === id)
  }

  /** The pair that has this UID on either side. */
  byUid(uid: string): Pair | undefined {
    const row = [...this.#rows.values()].find(
      (candidate) =>
        pairState(candidate) !== undefined &&
        (candidate.uid === uid || candidate.mirrorUid === uid),
    )
    return row === undefined ? undefined : this.byId(pairId(row))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #follow(change: RowChange): void {
    const isTouched =
      change.kind === 'all' ||
      change.removed.length > 0 ||
      change.upserts.some((row) => pairState(row) !== undefined)
    if (!isTouched) return
    const pairs = pairsOf(this.#rows.values())
    if (isSame(pairs, this.#pairs)) return
    this.#pairs = pairs
    for (const listener of this.#listeners) listener()
  }
}
