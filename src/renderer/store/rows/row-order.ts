import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { labelsText, podIP } from '../../../shared/model/row-selectors.ts'
import { attentionReason } from '../../words/attention.ts'
import { workerRanks } from '../../words/worker-state.ts'
import type { SortColumn } from '../tables/column-ids.ts'
import type { RowFilter, RowSegment } from './row-filter.ts'
import { isInSegment, matchesFilter } from './row-filter.ts'
import type { RowChange, RowTable } from './row-table.ts'
import type { RowScope } from '../shown-node.ts'
import { isListedIn } from '../shown-node.ts'

export interface RowSort {
  readonly column: SortColumn
  readonly descending: boolean
}

export interface RowQuery {
  readonly scope: RowScope | null
  readonly filter: RowFilter
  /** By the selectors for labels and fields; absent: all are. */
  readonly isSelected?: (row: PodRow) => boolean
  /** Empty: all. */
  readonly namespace: string
  readonly segment: RowSegment
  readonly sort: RowSort
}

type SortValue = string | number

const last = Number.MAX_SAFE_INTEGER

/** The sort value of each column, of one type per column. Ascending age is youngest first, so it is the negated creation time. */
const sortValues: Readonly<Record<SortColumn, (row: PodRow) => SortValue>> = {
  namespace: (row) => row.namespace,
  name: (row) => row.name,
  node: (row) => row.node,
  ready: (row) => row.readyContainers / Math.max(1, row.totalContainers),
  status: (row) => row.status,
  why: attentionReason,
  restarts: (row) => row.restarts,
  age: (row) => (row.createdAt === null ? last : -row.createdAt),
  source: (row) => row.source,
  kind: (row) => `${row.kind} ${row.mirror ?? ''}`,
  worker: (row) => workerRanks[row.worker],
  grace: (row) => row.grace?.killAt ?? last,
  mirrorUid: (row) => row.mirrorUid ?? '~',
  staticUid: (row) => (row.kind === 'static' ? row.uid : '~'),
  ip: podIP,
  labels: labelsText,
}

interface Entry {
  readonly key: PodKey
  readonly value: SortValue
  /** Namespace, name, key: kubectl's order breaks ties. */
  readonly tie: string
}

function compareEntries(left: Entry, right: Entry): number {
  if (left.value !== right.value) return left.value < right.value ? -1 : 1
  return left.tie < right.tie ? -1 : left.tie > right.tie ? 1 : 0
}

/**
 * The keys that match the query, in its order. A patch that changes neither a row's place nor whether
 * it matches costs one comparison for each of its rows, and `keys()` stays the same array.
 */
export class RowOrder {
  readonly #rows: RowTable
  readonly #entries = new Map<PodKey, Entry>()
  /** Entries that are new or changed since the last publication. */
  #placed: Entry[] = []
  /** Always ascending. */
  #sorted: readonly Entry[] = []
  readonly #listeners = new Set<() => void>()
  #query: RowQuery
  #keys: readonly PodKey[] = []

  constructor(deps: { readonly rows: RowTable; readonly query: RowQuery }) {
    this.#rows = deps.rows
    this.#query = deps.query
  }

  /** Returns a function that stops it. */
  start(): () => void {
    this.#rebuild()
    return this.#rows.subscribe((change) => this.#handle(change))
  }

  get query(): RowQuery {
    return this.#query
  }

  setQuery(query: RowQuery): void {
    this.#query = query
    this.#rebuild()
  }

  keys(): readonly PodKey[] {
    return this.#keys
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #handle(change: RowChange): void {
    if (change.kind === 'all') {
      this.#rebuild()
      return
    }
    let isChanged = false
    for (const row of change.upserts) if (this.#place(row)) isChanged = true
    for (const key of change.removed) if (this.#entries.delete(key)) isChanged = true
    if (isChanged) this.#publish()
  }

  /** Whether the row's place may have changed. */
  #place(row: PodRow): boolean {
    const { scope, namespace, filter, isSelected, segment, sort } = this.#query
    if (!isListedIn(row, scope) || (namespace !== '' && row.namespace !== namespace))
      return this.#entries.delete(row.key)
    const before = this.#entries.get(row.key)
    if (!isInSegment(row, segment) || isSelected?.(row) === false || !matchesFilter(row, filter))
      return this.#entries.delete(row.key)
    const value = sortValues[sort.column](row)
    if (before !== undefined && before.value === value) return false
    const tie = `${row.namespace}\u0000${row.name}\u0000${row.key}`
    const entry = { key: row.key, value, tie }
    this.#entries.set(row.key, entry)
    this.#placed.push(entry)
    return true
  }

  #rebuild(): void {
    this.#entries.clear()
    for (const row of this.#rows.values()) this.#place(row)
    this.#publish()
  }

  #publish(): void {
    // The old entries are already sorted; the engine's sort detects that run and passes over it once.
    this.#sorted = [...this.#sorted, ...this.#placed]
      .filter((entry) => this.#entries.get(entry.key) === entry)
      .toSorted(compareEntries)
    this.#placed = []
    const keys = this.#sorted.map((entry) => entry.key)
    this.#keys = this.#query.sort.descending ? keys.toReversed() : keys
    for (const listener of this.#listeners) listener()
  }
}
