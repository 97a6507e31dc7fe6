import type { PodRow } from '../../../shared/model/pod-row.ts'
import { attentionReason } from '../../words/attention.ts'
import type { RowScope } from '../shown-node.ts'

/** Whether a row's mirror is missing, stale, on its way out, or orphaned. Pure. */
function isOutOfStep(row: PodRow): boolean {
  return row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched')
}

/** How many rows there are of what heads and badges count. */
export interface RowTally {
  readonly rows: number
  /** Rows of pods that no kubelet has. */
  readonly withoutKubelet: number
  /** Rows that need attention. */
  readonly attention: number
  /** Static pods whose mirror is not in step, and mirrors without a static pod. */
  readonly outOfStep: number
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
  outOfStep = 0
  readonly namespaces = new Map<string, number>()

  add(row: PodRow, by: 1 | -1): void {
    this.rows += by
    if (row.worker === 'noKubelet') this.withoutKubelet += by
    if (attentionReason(row) !== '') this.attention += by
    if (isOutOfStep(row)) this.outOfStep += by
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
    outOfStep: left.outOfStep + right.outOfStep,
    namespaces,
  }
}

const nothing: RowTally = new Tally()

/** Tallies for each node and each cluster; kept up to date row by row, never by looking at all. */
export class RowCounts {
  readonly #clusters = new Map<
    string,
    { readonly all: Tally; readonly nodes: Map<string, Tally> }
  >()

  /** The rows of a scope as they are now; pods that no node has count with each node of their cluster. */
  of(scope: RowScope | null): RowTally {
    if (scope === null) return nothing
    const cluster = this.#clusters.get(scope.cluster)
    if (scope.node === null) return cluster?.all ?? nothing
    const onNode = cluster?.nodes.get(scope.node) ?? nothing
    const onNone = cluster?.nodes.get('')
    return onNone === undefined ? onNode : sum(onNode, onNone)
  }

  /** `before` is what the row was, `after` what it is; undefined for one that was not there or is gone. */
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
    // Exhibits come and go: nothing is kept of a cluster or node without rows.
    if (node.rows === 0) cluster.nodes.delete(row.node)
    if (cluster.all.rows === 0) this.#clusters.delete(row.cluster)
  }
}
