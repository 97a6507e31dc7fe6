import { assertNever } from '../../../shared/assert-never.ts'
import type { ActError, Bridge, NodeRef, Receipt } from '../../../shared/ipc/contract.ts'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { CallFault } from '../../../shared/model/node/node-faults.ts'
import type { Result } from '../../../shared/result.ts'
import { text } from '../../text/text.ts'
import { requestResult } from '../request-result.ts'

/** The dialog before an act on a node, or on the connection of a cluster's nodes to its API server. */
export type NodeDialog =
  | { readonly kind: 'node'; readonly act: NodeAct; readonly node: NodeRef }
  | { readonly kind: 'link'; readonly act: 'cutOff' | 'reconnect'; readonly cluster: string }

/** The two grace periods of a graceful shutdown, in seconds. */
export interface ShutdownGrace {
  /** The limit of the whole shutdown. */
  readonly total: number
  /** The part of it that is reserved for critical pods. */
  readonly critical: number
}

/** What a dialog asks for beside the act: each is for its own act alone. */
export interface NodeActChoice {
  /** For a graceful shutdown. */
  readonly grace: ShutdownGrace
  /** For a runtime call that fails. */
  readonly call: CallFault
}

export interface NodeActsSlice {
  readonly nodeDialog: NodeDialog | null
  readonly isNodeActing: boolean
  readonly nodeActError: ActError | null
  readonly askNodeAct: (dialog: NodeDialog) => void
  readonly cancelNodeAct: () => void
  readonly confirmNodeAct: (choice: NodeActChoice) => Promise<void>
}

interface NodeActsState extends NodeActsSlice {
  readonly addToast: (message: string) => void
}

function request(
  bridge: Bridge,
  dialog: NodeDialog,
  { grace, call }: NodeActChoice,
): Promise<Result<Receipt, ActError>> {
  switch (dialog.kind) {
    case 'node':
      return bridge.request('node.act', {
        ...dialog.node,
        act: dialog.act,
        shutdownGraceSeconds: dialog.act === 'shutDown' ? grace.total : null,
        criticalGraceSeconds: dialog.act === 'shutDown' ? grace.critical : null,
        call: dialog.act === 'failCall' ? call : null,
      })
    case 'link':
      return bridge.request(dialog.act === 'cutOff' ? 'cluster.cutOff' : 'cluster.reconnect', {
        cluster: dialog.cluster,
      })
    default:
      return assertNever(dialog, 'dialog about a node')
  }
}

export function nodeActsSlice(
  set: (part: Partial<NodeActsSlice>) => void,
  get: () => NodeActsState,
  bridge: Bridge,
): NodeActsSlice {
  const closed = { nodeDialog: null, nodeActError: null, isNodeActing: false }
  return {
    ...closed,
    askNodeAct: (nodeDialog) => set({ ...closed, nodeDialog }),
    cancelNodeAct: () => set(closed),
    confirmNodeAct: async (choice) => {
      const { nodeDialog, isNodeActing } = get()
      if (nodeDialog === null || isNodeActing) return
      set({ isNodeActing: true, nodeActError: null })
      const result = await requestResult(
        request(bridge, nodeDialog, choice),
        text.frame.connection.checkNode,
      )
      if (result.ok) get().addToast(result.value.message)
      // The dialog was canceled, or another one is open now.
      if (get().nodeDialog !== nodeDialog) return
      if (result.ok) set(closed)
      else set({ isNodeActing: false, nodeActError: result.error })
    },
  }
}
