import { useCallback, useRef, useSyncExternalStore } from 'react'
import { shallow } from 'zustand/shallow'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useStore } from '../../../store/store-context.ts'
import { tokenOf } from '../board/board.ts'
import { useFlowPlace } from '../flow-context.ts'

/** A part that is open lists so many pods; the rest is one click away in the table. */
const podsListed = 40

export interface PodList {
  readonly rows: readonly PodRow[]
  readonly more: number
}

/** The node's pods that pass `test`, what needs a person first; read when the board is. */
export function usePods(test: (row: PodRow) => boolean): PodList {
  const { rows } = useStore()
  const { board, cluster, node } = useFlowPlace()
  const last = useRef<{ readonly flat: readonly unknown[]; readonly list: PodList } | null>(null)
  const subscribe = useCallback((listener: () => void) => board.subscribe(listener), [board])
  return useSyncExternalStore(subscribe, () => {
    const found: PodRow[] = []
    for (const row of rows.values())
      if (row.cluster === cluster && row.node === node && test(row)) found.push(row)
    const shown = found
      .map((row) => ({ row, need: tokenOf(row).need }))
      .toSorted(
        (left, right) =>
          left.need - right.need ||
          `${left.row.namespace}/${left.row.name}`.localeCompare(
            `${right.row.namespace}/${right.row.name}`,
          ),
      )
      .slice(0, podsListed)
      .map(({ row }) => row)
    const flat = [found.length, ...shown]
    if (last.current !== null && shallow(last.current.flat, flat)) return last.current.list
    const list = { rows: shown, more: found.length - shown.length }
    last.current = { flat, list }
    return list
  })
}
