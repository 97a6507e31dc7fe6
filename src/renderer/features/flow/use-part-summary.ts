import { useCallback, useSyncExternalStore } from 'react'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { useFlowPlace } from './flow-context.ts'
import type { FlowPart } from './parts.ts'
import { partSummary } from './part-summary.ts'

export function usePartSummary(part: FlowPart): string {
  const { flow } = useStore()
  const { board } = useFlowPlace()
  const node = useAppState((state) => shownNode(state))
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = [flow.subscribe(listener), board.subscribe(listener)]
      return () => {
        for (const unsubscribe of leave) unsubscribe()
      }
    },
    [flow, board],
  )
  return useSyncExternalStore(subscribe, () => {
    const view = flow.current()
    return view === null ? '' : partSummary(part, { flow: view, board: board.current(), node })
  })
}
