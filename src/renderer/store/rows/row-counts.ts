import type { PodRow } from '../../../shared/model/pod-row.ts'
import { attentionReason } from '../../words/attention.ts'
import type { RowScope } from '../shown-node.ts'

/** Whether a row's mirror is missing, stale, being deleted or orphaned. Pure. */
function isOutOfSync(row: PodRow): boolean {
  if (row.kind === 'mirror') return row.worker !== 'noKubelet'
  return row.mirror !== null && row.mirror !== 'matched'
}

function hasEnded({ fields }: PodRow): boolean {
  const phase = fields['status.phase']
  return phase === 'Succeeded' || phase === 'Failed'
}

/** The numbers in titles and badges. */
export interface RowTally {
  readonly rows: number
  /** Pods that no kubelet has. */
  readonly withoutKubelet: number
  /** Rows that need attention. */
  readonly attention: number
  /** Static pods whose mirror is out of sync, and mirrors without a static pod. */
  readonly outOfSync: number
  /** Pods that have not ended. */
  readonly living: number
  readonly statics: number
  /** Mirrors, with and without a static pod. */
  readonly mirrors: number
  /** How many rows each namespace has. */
  readonly namespaces: ReadonlyMap<string, number>
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

class Tally implements RowTally {
  rows = 0
  withoutKubelet = 0
  attention = 0
  outOfSync = 0
  living = 0
  statics = 0
  mirrors = 0
  readonly namespaces = new Map<string, number>()

  add(row: PodRow, by: 1 | -1): void {
    this.rows += by
    if (row.worker === 'noKubelet') this.withoutKubelet += by
    if (attentionReason(row) !== '') this.attention += by
    if (isOutOfSync(row)) this.outOfSync += by
    if (!hasEnded(row)) this.living += by
    if (row.kind === 'static') this.statics += by
    if (row.mirrorUid !== null) this.mirrors += by
    addTo(this.namespaces, row.namespace, by)
  }
}

function sum(left: RowTally, right: RowTally): RowTally {
  const namespaces = new Map(left.namespaces)
  for (const [namespace, count] of right.namespaces) addTo(namespaces, namespace, count)
  return {
    rows: left.rows + right.rows,
    withoutKubelet: left.withoutKubelet + right.withoutKubelet,
    attention: left.attention + right.attention,
    outOfSync: left.outOfSync + right.outOfSync,
    living: left.living + right.living,
    statics: left.statics + right.statics,
    mirrors: left.mirrors + right.mirrors,
    namespaces,
  }
}

const nothing: RowTally = new Tally()

/** Tallies for each node and each cluster, updated row by row, never by a scan of all rows. */
export class RowCounts {
  readonly #clusters = new Map<
    string,
    { readonly all: Tally; readonly nodes: Map<string, Tally> }
  >()

  /** The tally of a scope; unbound pods count with each node of their cluster. */
  of(scope: RowScope | null): RowTally {
    if (scope === null) return nothing
    const cluster = this.#clusters.get(scope.cluster)
    if (scope.node === null) return cluster?.all ?? nothing
    const onNode = this.onNode(scope.cluster, scope.node)
    const onNone = cluster?.nodes.get('')
    return onNone === undefined ? onNode : sum(onNode, onNone)
  }

  /** The tally of the pods that are bound to a node. */
  onNode(cluster: string, node: string): RowTally {
    return this.#clusters.get(cluster)?.nodes.get(node) ?? nothing
  }

  /** A row changed from `before` to `after`; undefined for a new or removed row. */
  change(before: PodRow | undefined, after: PodRow | undefined): void {
    if (before !== undefined) this.#add(before, -1)
    if (after !== undefined) this.#add(after, 1)
  }

  #add(row: PodRow, by: 1 | -1): void {
    let cluster = this.#clusters.get(row.cluster)
    if (cluster === undefined) {
      cluster = { all: new Tally(), nodes: new Map() }
      this.#clusters.set(row.cluster, cluster)
    }
    let node = cluster.nodes.get(row.node)
    if (node === undefined) {
      node = new Tally()
      cluster.nodes.set(row.node, node)
    }
    cluster.all.add(row, by)
    node.add(row, by)
    // Clusters of gotchas open and close: drop what has no rows.
    if (node.rows === 0) cluster.nodes.delete(row.node)
    if (cluster.all.rows === 0) this.#clusters.delete(row.cluster)
  }
}
