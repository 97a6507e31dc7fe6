import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type {
  DrainOptions,
  SeenNodeAct,
  SeenNodeForecast,
} from '../../../shared/model/seen/drain.ts'
import { text } from '../../text/text.ts'
import { requestResult } from '../request-result.ts'

/** The dialog before an act on a node whose kubelet is not this program. */
export interface SeenNodeDialog {
  readonly act: SeenNodeAct
  readonly node: NodeRef
}

export interface SeenNodeSlice {
  readonly seenNodeDialog: SeenNodeDialog | null
  readonly drainOptions: DrainOptions
  /** Null while it is asked. */
  readonly seenNodeForecast: SeenNodeForecast | null
  readonly seenNodeProblem: string
  readonly isSeenNodeActing: boolean
  readonly askSeenNodeAct: (dialog: SeenNodeDialog) => void
  readonly setDrainOptions: (options: DrainOptions) => void
  readonly cancelSeenNodeAct: () => void
  readonly confirmSeenNodeAct: () => Promise<void>
  readonly stopDrain: (node: NodeRef) => Promise<void>
}

interface SeenNodeState extends SeenNodeSlice {
  readonly addToast: (message: string) => void
}

/** The defaults of kubectl drain with --ignore-daemonsets, without which it drains no usual node. */
export const usualDrain: DrainOptions = {
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  force: false,
  gracePeriodSeconds: null,
}

export function seenNodeSlice(
  set: (part: Partial<SeenNodeSlice>) => void,
  get: () => SeenNodeState,
  bridge: Bridge,
): SeenNodeSlice {
  const closed = {
    seenNodeDialog: null,
    seenNodeForecast: null,
    seenNodeProblem: '',
    isSeenNodeActing: false,
  }
  const forecast = async (dialog: SeenNodeDialog, drain: DrainOptions): Promise<void> => {
    const answer = await requestResult(
      bridge.request('seenNode.forecast', { ...dialog.node, act: dialog.act, drain }),
    )
    // The dialog or its options have changed.
    if (get().seenNodeDialog !== dialog || get().drainOptions !== drain) return
    set(
      answer.ok
        ? { seenNodeForecast: answer.value, seenNodeProblem: '' }
        : { seenNodeProblem: answer.error.message },
    )
  }
  return {
    ...closed,
    drainOptions: usualDrain,
    askSeenNodeAct: (dialog) => {
      set({ ...closed, seenNodeDialog: dialog, drainOptions: usualDrain })
      void forecast(dialog, usualDrain)
    },
    setDrainOptions: (drainOptions) => {
      const { seenNodeDialog } = get()
      set({ drainOptions })
      if (seenNodeDialog !== null) void forecast(seenNodeDialog, drainOptions)
    },
    cancelSeenNodeAct: () => set(closed),
    confirmSeenNodeAct: async () => {
      const { seenNodeDialog: dialog, drainOptions: drain, isSeenNodeActing } = get()
      if (dialog === null || isSeenNodeActing) return
      set({ isSeenNodeActing: true, seenNodeProblem: '' })
      const result = await requestResult(
        bridge.request('seenNode.act', { ...dialog.node, act: dialog.act, drain }),
        text.frame.connection.checkNode,
      )
      if (result.ok) get().addToast(result.value.message)
      if (get().seenNodeDialog !== dialog) return
      set(result.ok ? closed : { isSeenNodeActing: false, seenNodeProblem: result.error.message })
    },
    stopDrain: async (node) => {
      const result = await requestResult(bridge.request('seenNode.stopDrain', node))
      get().addToast(result.ok ? result.value.message : result.error.message)
    },
  }
}
