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
import type { SeenNodeForecast } from '../../../shared/model/seen/drain.ts'
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
  | { readonly kind: 'nodes'; readonly act: NodeRowsAct | 'drain' }
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

/** The forecast of each node's drain; a sentence: why there is none. */
export type DrainsByNode = ReadonlyMap<string, SeenNodeForecast | string>

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

function drainRow(forecast: SeenNodeForecast | string): RowForecast {
  if (typeof forecast === 'string') return { refusal: forecast, outcome: '', isBlocked: false }
  const { refusal, summary, pods } = forecast
  return { refusal, outcome: summary, isBlocked: pods.some(({ fate }) => fate === 'blocks') }
}

/** Of drains of several nodes; their forecasts are the API server's. */
function drainForecasts(targets: readonly RowTarget[], drains: DrainsByNode): RowsForecast {
  const forecasts = targets.map((target) => drains.get(target.id) ?? text.nodes.gone)
  const rows = targets.map((target, index) => ({
    ...target,
    ...drainRow(forecasts[index] ?? text.nodes.gone),
  }))
  const allowed = rows.filter(({ refusal }) => refusal === '').map(({ id }) => id)
  const sent = forecasts.flatMap((one) =>
    typeof one === 'string' || one.refusal !== '' ? [] : [one],
  )
  return {
    rows,
    allowed,
    notes: [
      ...(allowed.length > 1 ? [text.tables.acts.drainTogether] : []),
      ...new Set(sent.flatMap(({ note }) => (note === '' ? [] : [note]))),
    ],
    kubectl: sent.map(({ kubectl }) => kubectl),
  }
}

/** The forecast of each row; undefined while the facts of the pods are not known. Pure. */
export function forecastRows(
  dialog: RowsDialog,
  known: {
    readonly facts: FactsByKey | null
    /** Of a drain; null while they are asked. */
    readonly drains?: DrainsByNode | null
    readonly cluster: ClusterView | undefined
    readonly isStartedReadOnly: boolean
  },
): RowsForecast | undefined {
  const { cluster, isStartedReadOnly } = known
  const context = cluster?.seen?.context ?? ''
  if (dialog.kind === 'nodes') {
    const { act, targets } = dialog
    if (act === 'drain') {
      const drains = known.drains ?? null
      return drains === null ? undefined : drainForecasts(targets, drains)
    }
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
