import { assertNever } from '../../../shared/assert-never.ts'
import type { MirrorState, PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { RowChange, RowTable } from './row-table.ts'
import type { RowScope } from '../shown-node.ts'
import { isInScope, isSameNode } from '../shown-node.ts'

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
 * hold the name a while longer (pod-workers#static-pods-of-one-name).
 */
function leavingRank(row: PodRow): number {
  switch (row.worker) {
    case 'SyncPod':
    case 'waiting':
      return 0
    case 'TerminatedAndRecreatedPod':
    case 'none':
    case 'noKubelet':
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

/** Of the rows of one full name the one that speaks for it; undefined where none is half of a pair. */
function speakerOf(rows: Iterable<PodRow>): PodRow | undefined {
  let speaker: PodRow | undefined
  for (const row of rows) if (speaker === undefined || speaksBefore(row, speaker)) speaker = row
  return speaker
}

/** The pairs among the rows of a scope. A change costs what it touches, not what there is. */
export class PairOrder {
  readonly #rows: RowTable
  readonly #listeners = new Set<() => void>()
  /** Static pods and orphaned mirrors of each full name, and where each key stands. */
  readonly #halves = new Map<string, Map<PodKey, PodRow>>()
  readonly #idOfKey = new Map<PodKey, string>()
  readonly #pairOfId = new Map<string, Pair>()
  #scope: RowScope | null
  #pairs: readonly Pair[] = []
  #unsubscribe: (() => void) | undefined

  constructor(deps: { readonly rows: RowTable; readonly scope: RowScope | null }) {
    this.#rows = deps.rows
    this.#scope = deps.scope
    this.#rebuild()
  }

  start(): void {
    this.#unsubscribe = this.#rows.subscribe((change) => this.#follow(change))
    this.#follow({ kind: 'all' })
  }

  stop(): void {
    this.#unsubscribe?.()
  }

  setScope(scope: RowScope | null): void {
    if (isSameNode(scope, this.#scope)) return
    this.#scope = scope
    this.#follow({ kind: 'all' })
  }

  /** What is not a pair first, then by full name. The same array until something in it changes. */
  pairs = (): readonly Pair[] => this.#pairs

  byId(id: string | null): Pair | undefined {
    return id === null ? undefined : this.#pairOfId.get(id)
  }

  /** The pair that has this UID on either side. */
  byUid(uid: string): Pair | undefined {
    for (const [id, halves] of this.#halves)
      for (const row of halves.values())
        if (row.uid === uid || row.mirrorUid === uid) return this.byId(id)
    return undefined
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #follow(change: RowChange): void {
    const isChanged = change.kind === 'all' ? this.#rebuild() : this.#update(change)
    if (!isChanged) return
    for (const listener of this.#listeners) listener()
  }

  #rebuild(): boolean {
    const before = this.#pairs
    this.#halves.clear()
    this.#idOfKey.clear()
    this.#pairOfId.clear()
    const touched = new Set<string>()
    for (const row of this.#rows.values()) this.#put(row, touched)
    for (const id of touched) this.#judge(id)
    this.#sort()
    return !isSame(before, this.#pairs)
  }

  #update({ upserts, removed }: Extract<RowChange, { readonly kind: 'some' }>): boolean {
    const touched = new Set<string>()
    for (const key of removed) this.#drop(key, touched)
    for (const row of upserts) this.#put(row, touched)
    let isChanged = false
    for (const id of touched) if (this.#judge(id)) isChanged = true
    if (isChanged) this.#sort()
    return isChanged
  }

  #put(row: PodRow, touched: Set<string>): void {
    if (!isInScope(row, this.#scope) || pairState(row) === undefined) {
      this.#drop(row.key, touched)
      return
    }
    const id = pairId(row)
    if (this.#idOfKey.get(row.key) !== id) this.#drop(row.key, touched)
    const halves = this.#halves.get(id) ?? new Map<PodKey, PodRow>()
    this.#halves.set(id, halves.set(row.key, row))
    this.#idOfKey.set(row.key, id)
    touched.add(id)
  }

  #drop(key: PodKey, touched: Set<string>): void {
    const id = this.#idOfKey.get(key)
    if (id === undefined) return
    this.#idOfKey.delete(key)
    const halves = this.#halves.get(id)
    halves?.delete(key)
    if (halves?.size === 0) this.#halves.delete(id)
    touched.add(id)
  }

  /** Whether the pair of this name is another one now. */
  #judge(id: string): boolean {
    const before = this.#pairOfId.get(id)
    const row = speakerOf(this.#halves.get(id)?.values() ?? [])
    const state = row === undefined ? undefined : pairState(row)
    if (row === undefined || state === undefined) return this.#pairOfId.delete(id)
    if (before?.key === row.key && before.state === state) return false
    this.#pairOfId.set(id, { id, key: row.key, state })
    return true
  }

  #sort(): void {
    this.#pairs = [...this.#pairOfId.values()].toSorted(isBefore)
  }
}
