import { shallow } from 'zustand/shallow'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { Top } from '../../../../shared/top.ts'
import { useObserved } from '../../../store/use-observed.ts'
import { useFlowPlace } from '../flow-context.ts'
import type { Token } from './board.ts'
import { byUrgency, tokenOf } from './board.ts'

/** An open part lists so many pods; the others are one click away in the table. */
const podsListed = 40

export interface PodList {
  readonly rows: readonly PodRow[]
  readonly more: number
}

/** The node's pods that pass `test`, the most urgent first. */
export function usePods(test: (row: PodRow) => boolean): PodList {
  const { board } = useFlowPlace()
  const read = (): PodList => {
    const first = new Top<Token>(podsListed, byUrgency)
    let count = 0
    for (const row of board.rows()) {
      if (!test(row)) continue
      count++
      first.add(tokenOf(row))
    }
    return { rows: first.items.map(({ row }) => row), more: Math.max(0, count - podsListed) }
  }
  const isSame = (before: PodList, now: PodList): boolean =>
    before.more === now.more && shallow(before.rows, now.rows)
  return useObserved(board, read, isSame)
}
