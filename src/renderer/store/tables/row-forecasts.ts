import type { ActFacts } from '../../../shared/model/act.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type {
  NodeRowsAct,
  PodRowsAct,
  RowForecast,
} from '../../../shared/model/forecast/rows-forecast.ts'
import {
  cordonForecast,
  goneRow,
  nodeRowsLines,
  podRowForecast,
  podRowsLines,
  sharedBudgets,
} from '../../../shared/model/forecast/rows-forecast.ts'
import {
  onlyLookedAt,
  recordingIsPast,
  startedReadOnly,
} from '../../../shared/model/forecast/read-only.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'

/** One of several rows. `id`: the key of a pod, the name of a node; `name`: `namespace/name`, or the node's. */
export interface RowTarget {
  readonly id: string
  readonly name: string
}

/** The dialog before an act on several rows of one cluster. */
export type RowsDialog = {
  readonly cluster: string
  readonly targets: readonly RowTarget[]
} & (
  | { readonly kind: 'pods'; readonly act: PodRowsAct }
  | { readonly kind: 'nodes'; readonly act: NodeRowsAct }
)

export interface ForecastRow extends RowTarget, RowForecast {}

/** What the dialog says before the click. */
export interface RowsForecast {
  readonly rows: readonly ForecastRow[]
  /** The ids of the rows that the act is sent for. */
  readonly allowed: readonly string[]
  /** What the rows do not say, whole sentences. */
  readonly notes: readonly string[]
  /** The same with kubectl, for the allowed rows. */
  readonly kubectl: readonly string[]
}

/** The pods' facts by key; null: there is no such pod. */
export type FactsByKey = ReadonlyMap<PodKey, ActFacts | null>

function nodeReadOnly({ kind, seen, label }: ClusterView, isStartedReadOnly: boolean): string {
  if (kind === 'recording') return recordingIsPast
  if (seen !== null) return seen.changes.kind === 'allowed' ? '' : onlyLookedAt(label)
  return isStartedReadOnly ? startedReadOnly : ''
}

function isCordoned({ seen, nodes }: ClusterView, name: string): boolean | undefined {
  const own = nodes.find((node) => node.name === name)?.object
  return (own ?? seen?.nodes.find((node) => node.name === name))?.isUnschedulable
}

function nodeForecast(
  act: NodeRowsAct,
  { name }: RowTarget,
  cluster: ClusterView | undefined,
  isStartedReadOnly: boolean,
): RowForecast {
  const isUnschedulable = cluster === undefined ? undefined : isCordoned(cluster, name)
  if (cluster === undefined || isUnschedulable === undefined)
    return { ...goneRow, refusal: text.nodes.gone }
  const readOnly = nodeReadOnly(cluster, isStartedReadOnly)
  return cordonForecast(act, { name, isUnschedulable, readOnly })
}

/** The forecast of each row; undefined while the facts of the pods are not known. Pure. */
export function forecastRows(
  dialog: RowsDialog,
  known: {
    readonly facts: FactsByKey | null
    readonly cluster: ClusterView | undefined
    readonly isStartedReadOnly: boolean
  },
): RowsForecast | undefined {
  const { cluster, isStartedReadOnly } = known
  const context = cluster?.seen?.context ?? ''
  if (dialog.kind === 'nodes') {
    const { act, targets } = dialog
    const rows = targets.map((target) => ({
      ...target,
      ...nodeForecast(act, target, cluster, isStartedReadOnly),
    }))
    const allowed = rows.filter(({ refusal }) => refusal === '').map(({ id }) => id)
    return { rows, allowed, notes: [], kubectl: nodeRowsLines(act, allowed, context) }
  }
  const { act, targets } = dialog
  const { facts } = known
  if (facts === null) return undefined
  const rows = targets.map((target) => {
    const of = facts.get(target.id) ?? null
    return { ...target, ...(of === null ? goneRow : podRowForecast(act, of)) }
  })
  const allowed = rows.filter(({ refusal }) => refusal === '').map(({ id }) => id)
  const pods = allowed.flatMap((id) => facts.get(id) ?? [])
  return {
    rows,
    allowed,
    notes: sharedBudgets(act, pods),
    kubectl: podRowsLines(act, pods, context),
  }
}
