import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { shownNode } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { useFlowPlace } from '../flow-context.ts'
import type { PartContent } from './part-facts.ts'
import { partContent } from './part-facts.ts'

const nothing: PartContent = { summary: '', lines: [] }

/** What a part holds, redrawn only when it says something else; empty before main has told it. */
export function usePartContent(part: FlowPartRow, width = 0): PartContent {
  const { flow, clocks } = useStore()
  const { board, cluster, tables } = useFlowPlace()
  const node = useAppState((state) => shownNode(state))
  const last = useRef<{ readonly text: string; readonly content: PartContent }>(null)
  const subscribe = useCallback(
    (listener: () => void) => {
      const leave = [flow, board, clocks].map((told) => told.subscribe(listener))
      return () => {
        for (const unsubscribe of leave) unsubscribe()
      }
    },
    [flow, board, clocks],
  )
  return useSyncExternalStore(subscribe, () => {
    const view = flow.current()
    if (view === null) return nothing
    const now = clocks.now(cluster) ?? view.now
    const facts = { flow: view, board: board.current(), node, now, arrows: tables.arrows, width }
    const content = partContent(part, facts)
    const text = JSON.stringify(content)
    if (last.current?.text === text) return last.current.content
    last.current = { text, content }
    return content
  })
}
