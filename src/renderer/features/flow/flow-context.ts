import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { shallow } from 'zustand/shallow'
import type { FlowArrowView, FlowView } from '../../../shared/model/flow.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import type { Board } from './board/board.ts'
import type { FlowBoard } from './board/flow-board.ts'
import type { FlowTables } from './layout/flow-tables.ts'

/** Whose kubelet is drawn, and its pods by lane. */
export interface FlowPlace {
  readonly cluster: string
  readonly node: string
  readonly board: FlowBoard
  readonly tables: FlowTables
}

const FlowContext = createContext<FlowPlace | null>(null)

export const FlowProvider = FlowContext.Provider

export function useFlowPlace(): FlowPlace {
  const place = useContext(FlowContext)
  if (place === null) throw new Error('no FlowProvider above this component')
  return place
}

/** The parts and arrows that this node has: a source that it does not use is not drawn. */
export function useTables(): FlowTables {
  const { tables } = useFlowPlace()
  const sources = useAppState((state) =>
    (shownNode(state)?.sources ?? []).map(({ source }) => source).join(' '),
  )
  return useMemo(() => {
    const used = new Set(sources.split(' '))
    const isUsed = (id: string): boolean =>
      used.has(id) || tables.parts.some((part) => part.id === id && part.area !== 'sources')
    return {
      parts: tables.parts.filter(({ id }) => isUsed(id)),
      arrows: tables.arrows.filter(({ from, to }) => isUsed(from) && isUsed(to)),
    }
  }, [tables, sources])
}

/** The last value, while the new one says the same: an equal update is not drawn again. */
function useKept<T>(read: () => T): () => T {
  const last = useRef<{ readonly value: T } | null>(null)
  return () => {
    const value = read()
    if (last.current !== null && shallow(last.current.value, value)) return last.current.value
    last.current = { value }
    return value
  }
}

/** A flat value of the flow, redrawn only when it changes; undefined before main has told it. */
export function useFlow<T>(read: (flow: FlowView) => T): T | undefined {
  const { flow } = useStore()
  const subscribe = useCallback((listener: () => void) => flow.subscribe(listener), [flow])
  const snapshot = useKept(() => {
    const view = flow.current()
    return view === null ? undefined : read(view)
  })
  return useSyncExternalStore(subscribe, snapshot)
}

export interface ArrowNumbers {
  readonly total: number
  readonly lastMinute: number
  readonly at: number | null
  readonly text: string
  readonly podName: string
  readonly podUid: string
}

const atRest: ArrowNumbers = {
  total: 0,
  lastMinute: 0,
  at: null,
  text: '',
  podName: '',
  podUid: '',
}

export function arrowOf(flow: FlowView, id: string): FlowArrowView | undefined {
  return flow.arrows.find(({ arrow }) => arrow === id)
}

/** One arrow in flat numbers. */
export function useArrow(arrow: string): ArrowNumbers {
  const numbers = useFlow((flow): ArrowNumbers => {
    const view = arrowOf(flow, arrow)
    if (view === undefined) return atRest
    const { total, lastMinute, last } = view
    return {
      total,
      lastMinute,
      at: last?.at ?? null,
      text: last?.text ?? '',
      podName: last?.podName ?? '',
      podUid: last?.podUid ?? '',
    }
  })
  return numbers ?? atRest
}

/** A part of the board; `read` returns something that the board keeps while it is the same. */
export function useBoard<T>(read: (board: Board) => T): T {
  const { board } = useFlowPlace()
  const subscribe = useCallback((listener: () => void) => board.subscribe(listener), [board])
  return useSyncExternalStore(subscribe, () => read(board.current()))
}
