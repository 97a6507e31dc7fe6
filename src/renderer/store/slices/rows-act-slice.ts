import type { ActError, Bridge, Receipt } from '../../../shared/ipc/contract.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import { inParallel } from '../../../shared/in-parallel.ts'
import { maxFactsKeys } from '../../../shared/ipc/limits.ts'
import type { ActFacts } from '../../../shared/model/act.ts'
import type { DrainOptions, SeenNodeForecast } from '../../../shared/model/seen/drain.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Result } from '../../../shared/result.ts'
import { text } from '../../text/text.ts'
import { requestResult } from '../request-result.ts'
import type { DrainsByNode, FactsByKey, RowsDialog, RowsForecast } from '../tables/row-forecasts.ts'
import { noMarking } from '../tables/marking.ts'
import type { SeenNodeSlice } from './seen-node-slice.ts'
import { usualDrain } from './seen-node-slice.ts'
import type { TablesSlice } from './tables-slice.ts'

/** What became of one row. `notSent`: it was stopped before. */
export type RowResult =
  | { readonly kind: 'sending' | 'notSent' }
  | { readonly kind: 'done' | 'failed'; readonly message: string }

export interface RowsActSlice {
  readonly rowsDialog: RowsDialog | null
  /** Null before the answer, and for nodes. */
  readonly rowsFacts: FactsByKey | null
  /** The forecasts of a drain of several nodes; null before they are known. */
  readonly rowsDrains: DrainsByNode | null
  /** Why the facts are not known; else empty. */
  readonly rowsProblem: string
  readonly rowsPhase: 'asking' | 'running' | 'stopping' | 'ended'
  /** By the id of the row. */
  readonly rowResults: ReadonlyMap<string, RowResult>
  readonly askRows: (dialog: RowsDialog) => void
  /** Asks for the facts: when the dialog opens, and when what may be done has changed. */
  readonly refreshRows: () => Promise<void>
  /** What was confirmed: the rows change because of it. Null before. */
  readonly rowsSent: RowsForecast | null
  /** Sends the act for the allowed rows, each once. */
  readonly confirmRows: (forecast: RowsForecast) => Promise<void>
  /** Sends no more; what was sent goes on. */
  readonly stopRows: () => void
  /** While the act runs, it only stops it. */
  readonly closeRows: () => void
}

function sendRow(
  bridge: Bridge,
  dialog: RowsDialog,
  id: string,
  drain: DrainOptions,
): Promise<Result<Receipt, ActError>> {
  switch (dialog.act) {
    case 'delete':
      return bridge.request('pod.delete', { key: id, gracePeriodSeconds: null })
    case 'forceDelete':
      return bridge.request('pod.forceDelete', { key: id })
    case 'evictThroughApi':
      return bridge.request('pod.evictThroughApi', { key: id, gracePeriodSeconds: null })
    case 'cordon':
    case 'uncordon':
      return bridge.request('node.cordon', { cluster: dialog.cluster, node: id, act: dialog.act })
    case 'drain':
      return bridge.request('seenNode.act', {
        cluster: dialog.cluster,
        node: id,
        act: 'drain',
        drain,
      })
    default:
      return assertNever(dialog, 'act on several rows')
  }
}

async function readFacts(bridge: Bridge, keys: readonly PodKey[]): Promise<FactsByKey> {
  const facts = new Map<PodKey, ActFacts | null>()
  for (let from = 0; from < keys.length; from += maxFactsKeys) {
    const part = keys.slice(from, from + maxFactsKeys)
    const answer = await bridge.request('pods.facts', { keys: part })
    for (const [index, key] of part.entries()) facts.set(key, answer[index] ?? null)
  }
  return facts
}

/** The forecast of each node's drain, asked 8 at a time. */
async function readDrains(
  bridge: Bridge,
  { cluster, targets }: RowsDialog,
  drain: DrainOptions,
): Promise<DrainsByNode> {
  const drains = new Map<string, SeenNodeForecast | string>()
  await inParallel(targets, async ({ id: node }) => {
    const args = { cluster, node, act: 'drain', drain } as const
    const answer = await requestResult(bridge.request('seenNode.forecast', args))
    drains.set(node, answer.ok ? answer.value : answer.error.message)
  })
  return drains
}

export function rowsActSlice(
  set: (part: Partial<RowsActSlice & Pick<SeenNodeSlice, 'drainOptions'>>) => void,
  get: () => RowsActSlice & TablesSlice & Pick<SeenNodeSlice, 'drainOptions'>,
  bridge: Bridge,
): RowsActSlice {
  const closed = {
    rowsDialog: null,
    rowsFacts: null,
    rowsDrains: null,
    rowsProblem: '',
    rowsPhase: 'asking',
    rowsSent: null,
    rowResults: new Map(),
  } as const
  const setResult = (id: string, result: RowResult): void =>
    set({ rowResults: new Map(get().rowResults).set(id, result) })
  const send = async (dialog: RowsDialog, id: string): Promise<void> => {
    if (get().rowsPhase !== 'running') {
      setResult(id, { kind: 'notSent' })
      return
    }
    setResult(id, { kind: 'sending' })
    const advice = dialog.kind === 'pods' ? 'checkPod' : 'checkNode'
    const result = await requestResult(
      sendRow(bridge, dialog, id, get().drainOptions),
      text.frame.connection[advice],
    )
    setResult(
      id,
      result.ok
        ? { kind: 'done', message: result.value.message }
        : { kind: 'failed', message: result.error.message },
    )
  }
  return {
    ...closed,
    askRows: (dialog) => {
      set({ ...closed, rowsDialog: dialog, drainOptions: usualDrain })
    },
    refreshRows: async () => {
      const { rowsDialog: dialog, rowsPhase, drainOptions } = get()
      if (dialog === null || rowsPhase !== 'asking') return
      const isCurrent = (): boolean =>
        get().rowsDialog === dialog &&
        get().rowsPhase === 'asking' &&
        get().drainOptions === drainOptions
      if (dialog.act === 'drain') {
        set({ rowsDrains: null })
        const rowsDrains = await readDrains(bridge, dialog, drainOptions)
        if (isCurrent()) set({ rowsDrains })
      }
      if (dialog.kind !== 'pods') return
      try {
        const rowsFacts = await readFacts(
          bridge,
          dialog.targets.map(({ id }) => id),
        )
        if (isCurrent()) set({ rowsFacts, rowsProblem: '' })
      } catch {
        if (isCurrent()) set({ rowsProblem: text.frame.connection.lostBefore('') })
      }
    },
    confirmRows: async (rowsSent) => {
      const { rowsDialog: dialog, rowsPhase } = get()
      if (dialog === null || rowsPhase !== 'asking') return
      set({ rowsPhase: 'running', rowsSent, rowResults: new Map() })
      await inParallel(rowsSent.allowed, (id) => send(dialog, id))
      set({ rowsPhase: 'ended' })
    },
    stopRows: () => {
      if (get().rowsPhase === 'running') set({ rowsPhase: 'stopping' })
    },
    closeRows: () => {
      const { rowsPhase, rowsDialog, stopRows, setMarking } = get()
      if (rowsPhase === 'running' || rowsPhase === 'stopping') {
        stopRows()
        return
      }
      if (rowsPhase === 'ended' && rowsDialog !== null) setMarking(rowsDialog.kind, noMarking)
      set(closed)
    },
  }
}
