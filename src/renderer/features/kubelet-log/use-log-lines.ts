import { useEffect, useState } from 'react'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { LogLine } from '../../../shared/model/kubelet-log.ts'
import { useStore } from '../../store/store-context.ts'

export interface LinesQuery {
  readonly id: string
  readonly pod: string | null
  /** The line that is shown with its neighbors; 0: the first. */
  readonly line: number
  /** More lines of the log: those that were asked for at its end are asked for again. */
  readonly total: number
}

export interface ShownLines {
  readonly lines: readonly LogLine[]
  readonly previous: number | null
  readonly next: number | null
}

const before = 30
const after = 120
const nothing: ShownLines = { lines: [], previous: null, next: null }

async function linesAround(bridge: Bridge, { id, pod, line }: LinesQuery): Promise<ShownLines> {
  const from = Math.max(1, line)
  const [back, on] = await Promise.all([
    bridge.request('log.lines', { id, pod, from, count: before, isBack: true }),
    bridge.request('log.lines', { id, pod, from, count: after, isBack: false }),
  ])
  if (back === null || on === null) return nothing
  return { lines: [...back.lines, ...on.lines], previous: back.previous, next: on.next }
}

/** The lines about a selection, and more of them on request. */
export function useLogLines(query: LinesQuery): ShownLines & {
  readonly addEarlier: () => void
  readonly addLater: () => void
} {
  const { bridge } = useStore()
  const [shown, setShown] = useState(nothing)
  const { id, pod, line, total } = query
  useEffect(() => {
    let isCurrent = true
    void linesAround(bridge, { id, pod, line, total })
      .catch(() => nothing)
      .then((lines) => {
        if (isCurrent) setShown(lines)
      })
    return () => {
      isCurrent = false
    }
  }, [bridge, id, pod, line, total])
  const add = (from: number | null, isBack: boolean): void => {
    if (from === null) return
    void bridge
      .request('log.lines', { id, pod, from, count: after, isBack })
      .then((more) => {
        if (more === null) return
        setShown((now) =>
          isBack
            ? { ...now, lines: [...more.lines, ...now.lines], previous: more.previous }
            : { ...now, lines: [...now.lines, ...more.lines], next: more.next },
        )
      })
      .catch(() => undefined)
  }
  return {
    ...shown,
    addEarlier: () => add(shown.previous, true),
    addLater: () => add(shown.next, false),
  }
}
