import { createContext, useContext, useMemo } from 'react'
import { shallow } from 'zustand/shallow'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { FlowArrowView, FlowView } from '../../../shared/model/flow.ts'
import { flowNode, shownCluster } from '../../store/shown-node.ts'
import { useAppState, useStore, useTicking } from '../../store/store-context.ts'
import type { Observable } from '../../store/use-observed.ts'
import { useObserved } from '../../store/use-observed.ts'
import { text } from '../../text/text.ts'
import type { Board } from './board/board.ts'
import type { FlowBoard } from './board/flow-board.ts'
import type { FlowTables } from './layout/flow-tables.ts'
import type { Layout } from './layout/layout.ts'

/** The node whose kubelet is drawn, its pods by group, and what the picture consists of. */
export interface FlowPlace extends NodeRef {
  readonly board: FlowBoard
  readonly tables: FlowTables
  readonly layout: Layout
  /** Of the flow, the board or the clocks. */
  readonly changes: Observable
  /** The id of the part or step whose panel is open. */
  readonly open: string | null
  /** Opens a panel, or closes it if it is open. */
  readonly toggle: (id: string) => void
  /** Closes the panel and returns the focus to what opened it. */
  readonly close: () => void
}

const FlowContext = createContext<FlowPlace | null>(null)

export const FlowProvider = FlowContext.Provider

export function useFlowPlace(): FlowPlace {
  const place = useContext(FlowContext)
  if (place === null) throw new Error('no FlowProvider above this component')
  return place
}

export function useLayout(): Layout {
  return useFlowPlace().layout
}

/** The parts and arrows that this node has: a source that it does not use is not drawn, if its sources are known. */
export function useTables(): FlowTables {
  const { tables } = useFlowPlace()
  const sources = useAppState((state) =>
    (flowNode(state)?.sources ?? []).map(({ source }) => source).join(' '),
  )
  return useMemo(() => {
    const used = new Set(sources.split(' '))
    const isUsed = (id: string): boolean =>
      sources === '' ||
      used.has(id) ||
      tables.parts.some((part) => part.id === id && part.area !== 'sources')
    return {
      parts: tables.parts.filter(({ id }) => isUsed(id)),
      arrows: tables.arrows.filter(({ from, to }) => isUsed(from) && isUsed(to)),
    }
  }, [tables, sources])
}

/** A flat value of the flow, redrawn only when it changes; undefined before the main process has sent it. */
export function useFlow<T>(read: (flow: FlowView) => T): T | undefined {
  const { flow } = useStore()
  const readView = (): T | undefined => {
    const view = flow.current()
    return view === null ? undefined : read(view)
  }
  return useObserved(flow, readView, shallow)
}

export function useIsFlowKnown(): boolean {
  return useFlow(() => true) ?? false
}

export interface ArrowNumbers extends Pick<FlowArrowView, 'sight'> {
  readonly total: number
  readonly lastMinute: number
  /** The last move: when, what, and of which pod. */
  readonly at: number | null
  readonly text: string
  readonly podName: string
  readonly podUid: string
}

const noMoves = { at: null, text: '', podName: '', podUid: '' }
const noNumbers: ArrowNumbers = { sight: 'recorded', total: 0, lastMinute: 0, ...noMoves }

export function arrowOf(flow: FlowView, id: string): FlowArrowView | undefined {
  return flow.arrows.find(({ arrow }) => arrow === id)
}

/** One arrow in flat numbers. */
export function useArrow(arrow: string): ArrowNumbers {
  const numbers = useFlow((flow): ArrowNumbers => {
    const {
      sight = 'recorded',
      total = 0,
      lastMinute = 0,
      last = null,
    } = arrowOf(flow, arrow) ?? {}
    return { sight, total, lastMinute, ...noMoves, ...last }
  })
  return numbers ?? noNumbers
}

/** A value of the board; `read` returns something that the board keeps while it is the same. */
export function useBoard<T>(read: (board: Board) => T): T {
  const { board } = useFlowPlace()
  return useObserved(board, () => read(board.current()))
}

/** `3 s ago`, ticking; empty without a time. */
export function useAgo(at: number | null): string {
  const { cluster } = useFlowPlace()
  return useTicking(cluster, (now) => (at === null ? '' : text.flow.ago(now - at)), '')
}

/** Whether a log tells of the kubelet, and not the API or its endpoints. */
export function useIsLogged(): boolean {
  return useAppState((state) => shownCluster(state)?.kind === 'log')
}

/** Why nothing of the shown node's kubelet moves; empty while it runs. */
export function useFrozenReason(): string {
  const { machineOff, stopped } = text.flow.frozen
  return useAppState((state) => {
    const node = flowNode(state)
    if (node?.machine === 'off') return machineOff
    return node?.agent === 'stopped' ? stopped : ''
  })
}
