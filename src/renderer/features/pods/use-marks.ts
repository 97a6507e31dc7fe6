import { useCallback } from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { markedRange, noMarking, toggledAll, toggledRow } from '../../store/tables/marking.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import type { HeldOrder } from './held-order.ts'

/** Which rows are selected for an act, and how the mouse changes that. */
export function useMarks(held: HeldOrder): {
  readonly marked: ReadonlySet<PodKey>
  readonly isAllMarked: boolean
  readonly mark: (key: PodKey, isRange: boolean) => void
  readonly markAll: () => void
  readonly clear: () => void
} {
  const { state } = useStore()
  const marked = useAppState(({ tables }) => tables.pods.marked)
  const mark = useCallback(
    (key: PodKey, isRange: boolean) => {
      const { tables, setMarking } = state.getState()
      const change = isRange
        ? markedRange(tables.pods, held.keys(), key)
        : toggledRow(tables.pods, key)
      setMarking('pods', change)
    },
    [held, state],
  )
  const markAll = useCallback(() => {
    const { tables, setMarking } = state.getState()
    setMarking('pods', toggledAll(tables.pods, held.keys()))
  }, [held, state])
  const clear = useCallback(() => state.getState().setMarking('pods', noMarking), [state])
  const keys = held.keys()
  const isAllMarked = marked.size > 0 && keys.every((key) => marked.has(key))
  return { marked, isAllMarked, mark, markAll, clear }
}
