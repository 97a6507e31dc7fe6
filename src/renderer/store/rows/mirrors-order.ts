import type { MirrorState, PodKey, PodRow, WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { RowChange, RowTable } from './row-table.ts'
import type { RowScope } from '../shown-node.ts'
import { isInScope, isSameNode } from '../shown-node.ts'

/** Compares the static pod and the mirror of one full name. */
export type PairState = 'equal' | 'differs' | 'missing' | 'deleting' | 'orphaned'

/** A full name on one node with its preferred row. */
export interface Pair {
  /** `<cluster>/<node>/<namespace>/<name>`: outlives an edit of the manifest, which changes the UID. */
  readonly id: string
  readonly key: PodKey
  readonly state: PairState
}

function pairId(row: PodRow): string {
  return `${row.cluster}/${row.node}/${row.namespace}/${row.name}`
}

const pairStates: Readonly<Record<MirrorState, PairState>> = {
  matched: 'equal',
  stale: 'differs',
  missing: 'missing',
  deleting: 'deleting',
}

/** Undefined for a regular pod. Pure. */
function pairState(row: PodRow): PairState | undefined {
  if (row.kind === 'mirror') return 'orphaned'
  return row.mirror === null ? undefined : pairStates[row.mirror]
}

/**
 * Of the static pods that share a full name, one is current; the others are terminating and keep the
 * name until they finish (pod-workers#static-pods-of-one-name).
 */
const terminationRanks: Readonly<Record<WorkerStateWord, number>> = {
  SyncPod: 0,
  waiting: 0,
  TerminatedAndRecreatedPod: 1,
  none: 1,
  noKubelet: 1,
  TerminatingPod: 2,
  TerminatedPod: 2,
  finished: 2,
}

/** A static pod is preferred to an orphaned mirror of its name. */
function isPreferred(left: PodRow, right: PodRow): boolean {
  if ((left.kind === 'mirror') !== (right.kind === 'mirror')) return right.kind === 'mirror'
  return terminationRanks[left.worker] < terminationRanks[right.worker]
}

function comparePairs(left: Pair, right: Pair): number {
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

/** The preferred of the rows of one full name; undefined if there are none. */
function preferredRow(rows: Iterable<PodRow>): PodRow | undefined {
  let preferred: PodRow | undefined
  for (const row of rows)
    if (preferred === undefined || isPreferred(row, preferred)) preferred = row
  return preferred
}

/** The pairs among the rows of a scope. The cost of a change depends on the changed rows only. */
export class PairOrder {
  readonly #rows: RowTable
  readonly #listeners = new Set<() => void>()
  /** Static pods and orphaned mirrors by full name, and the name of each key. */
  readonly #rowsOfId = new Map<string, Map<PodKey, PodRow>>()
  readonly #idOfKey = new Map<PodKey, string>()
  readonly #pairOfId = new Map<string, Pair>()
  #scope: RowScope | null
  #pairs: readonly Pair[] = []

  constructor(deps: { readonly rows: RowTable; readonly scope: RowScope | null }) {
    this.#rows = deps.rows
    this.#scope = deps.scope
    this.#rebuild()
  }

  /** Returns a function that stops it. */
  start(): () => void {
    this.#follow({ kind: 'all' })
    return this.#rows.subscribe((change) => this.#follow(change))
  }

  setScope(scope: RowScope | null): void {
    if (isSameNode(scope, this.#scope)) return
    this.#scope = scope
    this.#follow({ kind: 'all' })
  }

  /** Pairs out of sync first, then by full name. The same array until something in it changes. */
  pairs = (): readonly Pair[] => this.#pairs

  byId(id: string | null): Pair | undefined {
    return id === null ? undefined : this.#pairOfId.get(id)
  }

  /** The pair that has this UID on either side. */
  byUid(uid: string): Pair | undefined {
    for (const [id, rows] of this.#rowsOfId)
      for (const row of rows.values())
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
    this.#rowsOfId.clear()
    this.#idOfKey.clear()
    this.#pairOfId.clear()
    const touched = new Set<string>()
    for (const row of this.#rows.values()) this.#put(row, touched)
    for (const id of touched) this.#updatePair(id)
    this.#sort()
    return !isSame(before, this.#pairs)
  }

  #update({ upserts, removed }: Extract<RowChange, { readonly kind: 'some' }>): boolean {
    const touched = new Set<string>()
    for (const key of removed) this.#drop(key, touched)
    for (const row of upserts) this.#put(row, touched)
    let isChanged = false
    for (const id of touched) if (this.#updatePair(id)) isChanged = true
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
    const rows = this.#rowsOfId.get(id) ?? new Map<PodKey, PodRow>()
    this.#rowsOfId.set(id, rows.set(row.key, row))
    this.#idOfKey.set(row.key, id)
    touched.add(id)
  }

  #drop(key: PodKey, touched: Set<string>): void {
    const id = this.#idOfKey.get(key)
    if (id === undefined) return
    this.#idOfKey.delete(key)
    const rows = this.#rowsOfId.get(id)
    rows?.delete(key)
    if (rows?.size === 0) this.#rowsOfId.delete(id)
    touched.add(id)
  }

  /** Updates the pair of this name; returns whether it changed. */
  #updatePair(id: string): boolean {
    const before = this.#pairOfId.get(id)
    const row = preferredRow(this.#rowsOfId.get(id)?.values() ?? [])
    const state = row === undefined ? undefined : pairState(row)
    if (row === undefined || state === undefined) return this.#pairOfId.delete(id)
    if (before?.key === row.key && before.state === state) return false
    this.#pairOfId.set(id, { id, key: row.key, state })
    return true
  }

  #sort(): void {
    this.#pairs = [...this.#pairOfId.values()].toSorted(comparePairs)
  }
}
