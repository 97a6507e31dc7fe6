import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import type { NodeObject } from '../../../shared/model/node/node-object.ts'
import { labelsText, nodeSelector } from '../../../shared/model/row-selectors.ts'
import type { SeenNode } from '../../../shared/model/seen-cluster.ts'
import type { RowTally } from '../../store/rows/row-counts.ts'
import type { NodeColumn } from '../../store/tables/column-ids.ts'
import type { TableState } from '../../store/tables/table-state.ts'
import { conditionOf, pressureOf } from './node-facts.ts'

/** One line of the table of nodes, of any kind of cluster. */
export interface NodeLine extends NodeObject, Pick<SeenNode, 'name' | 'status' | 'lease'> {
  /** Pods that are bound to it and have not ended. */
  readonly pods: number
  readonly mirrors: number
  /** The static pods of its kubelet; null: it was not asked. `at`: when, ms; null: the kubelet runs here. */
  readonly statics: { readonly count: number; readonly at: number | null } | null
}

export type NodeCounts = Pick<RowTally, 'living' | 'statics' | 'mirrors'>

const notRegistered: NodeObject = {
  labels: {},
  roles: [],
  kubeletVersion: '',
  createdAt: null,
  taints: [],
  isUnschedulable: false,
  conditions: [],
}

function ownLine(node: NodeView, { living, statics, mirrors }: NodeCounts): NodeLine {
  const { name, status, object, leaseRenewedAt, leaseDurationSeconds } = node
  return {
    ...(object ?? notRegistered),
    name,
    status,
    pods: living,
    mirrors,
    statics: { count: statics, at: null },
    lease:
      leaseRenewedAt === null
        ? null
        : {
            renewedAt: leaseRenewedAt,
            durationSeconds: leaseDurationSeconds,
            renewals: [],
            count: 0,
          },
  }
}

/** The nodes of a cluster. `countsOf`: of the rows on a node whose kubelet runs here. Pure. */
export function nodeLines(
  { nodes, seen }: ClusterView,
  countsOf: (node: string) => NodeCounts,
): readonly NodeLine[] {
  return seen === null ? nodes.map((node) => ownLine(node, countsOf(node.name))) : seen.nodes
}

function conditionsText(line: NodeLine): string {
  const pressure = pressureOf(line)
  return pressure.kind === 'some' ? pressure.types.join(' ') : pressure.kind
}

const last = Number.MAX_SAFE_INTEGER

/** By which a column sorts; of one type for each column. Ages and leases: the youngest first. */
const sortValues: Readonly<Record<NodeColumn, (line: NodeLine) => string | number>> = {
  name: ({ name }) => name,
  status: (line) => `${conditionOf(line, 'Ready') === 'True' ? 1 : 0} ${line.status}`,
  roles: ({ roles }) => roles.join(','),
  kubelet: ({ kubeletVersion }) => kubeletVersion,
  age: ({ createdAt }) => (createdAt === null ? last : -createdAt),
  pods: ({ pods }) => pods,
  lease: ({ lease }) => (lease === null ? last : -lease.renewedAt),
  static: ({ statics }) => statics?.count ?? -1,
  mirrors: ({ mirrors }) => mirrors,
  conditions: conditionsText,
  taints: ({ taints }) => taints.join(','),
  labels: labelsText,
}

function compare(left: NodeLine, right: NodeLine, column: NodeColumn): number {
  const [one, other] = [sortValues[column](left), sortValues[column](right)]
  if (typeof one === 'string' && typeof other === 'string')
    return one.localeCompare(other, 'en', { numeric: true })
  return Number(one) - Number(other)
}

function searched(line: NodeLine): string {
  const { name, status, roles, kubeletVersion, taints } = line
  return [name, status, ...roles, kubeletVersion, ...taints, labelsText(line)]
    .join(' ')
    .toLowerCase()
}

/** The lines that the table shows, in its order: those with each word of the filter that both selectors select. Pure. */
export function shownLines(
  lines: readonly NodeLine[],
  { filterText, selectors, sort }: TableState<NodeColumn>,
): readonly NodeLine[] {
  const selector = nodeSelector(selectors)
  // A selector that cannot be read selects nothing, as in the table of pods.
  if (!selector.ok) return []
  const words = filterText
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const shown = lines.filter(
    (line) => selector.value(line) && words.every((word) => searched(line).includes(word)),
  )
  const byName = shown.toSorted((left, right) => compare(left, right, 'name'))
  const sorted = byName.toSorted((left, right) => compare(left, right, sort.column))
  return sort.descending ? sorted.toReversed() : sorted
}
