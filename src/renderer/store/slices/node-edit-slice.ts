import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type {
  NodeEditArgs,
  NodeEditForecast,
  NodeTexts,
} from '../../../shared/model/node/node-edit.ts'
import { requestResult } from '../request-result.ts'

export interface NodeEditSlice {
  /** The node whose dialog is open. */
  readonly editedNode: NodeRef | null
  /** Null while they are read. */
  readonly nodeTexts: { readonly before: NodeTexts; readonly after: NodeTexts } | null
  readonly nodeEditForecast: NodeEditForecast | null
  readonly nodeEditProblem: string
  readonly isNodeEditing: boolean
  readonly openNodeEdit: (node: NodeRef) => void
  readonly setNodeTexts: (after: NodeTexts) => void
  readonly closeNodeEdit: () => void
  readonly confirmNodeEdit: () => Promise<void>
}

interface NodeEditState extends NodeEditSlice {
  readonly addToast: (message: string) => void
}

export function nodeEditSlice(
  set: (part: Partial<NodeEditSlice>) => void,
  get: () => NodeEditState,
  bridge: Bridge,
): NodeEditSlice {
  const closed = {
    editedNode: null,
    nodeTexts: null,
    nodeEditForecast: null,
    nodeEditProblem: '',
    isNodeEditing: false,
  }
  const args = (): NodeEditArgs | undefined => {
    const { editedNode, nodeTexts } = get()
    return editedNode === null || nodeTexts === null ? undefined : { ...editedNode, ...nodeTexts }
  }
  const forecast = async (): Promise<void> => {
    const asked = args()
    const texts = get().nodeTexts
    if (asked === undefined) return
    const answer = await requestResult(bridge.request('nodeEdit.forecast', asked))
    // The dialog or its texts have changed.
    if (get().nodeTexts !== texts) return
    set(
      answer.ok
        ? { nodeEditForecast: answer.value, nodeEditProblem: '' }
        : { nodeEditProblem: answer.error.message },
    )
  }
  return {
    ...closed,
    openNodeEdit: (editedNode) => {
      set({ ...closed, editedNode })
      void requestResult(bridge.request('nodeEdit.read', editedNode)).then((answer) => {
        if (get().editedNode !== editedNode) return
        if (!answer.ok) set({ nodeEditProblem: answer.error.message })
        else {
          set({ nodeTexts: { before: answer.value, after: answer.value } })
          void forecast()
        }
      })
    },
    setNodeTexts: (after) => {
      const { nodeTexts } = get()
      if (nodeTexts === null) return
      set({ nodeTexts: { ...nodeTexts, after } })
      void forecast()
    },
    closeNodeEdit: () => set(closed),
    confirmNodeEdit: async () => {
      const asked = args()
      const { editedNode, isNodeEditing } = get()
      if (asked === undefined || isNodeEditing) return
      set({ isNodeEditing: true, nodeEditProblem: '' })
      const result = await requestResult(bridge.request('nodeEdit.act', asked))
      if (result.ok) get().addToast(result.value.message)
      if (get().editedNode !== editedNode) return
      set(result.ok ? closed : { isNodeEditing: false, nodeEditProblem: result.error.message })
    },
  }
}
