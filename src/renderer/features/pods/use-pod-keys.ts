import type { RefObject } from 'react'
import type { Act } from '../../../shared/model/act.ts'
import { useStore } from '../../store/store-context.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import type { PodGridHandle } from './PodGrid.tsx'

/** The keys of the table. Letters only open the dialog of an act, for the active row. */
export function usePodKeys({
  filter,
  grid,
}: {
  readonly filter: RefObject<HTMLInputElement | null>
  readonly grid: RefObject<PodGridHandle | null>
}): void {
  const { state, rows } = useStore()
  usePageKeys(({ key, shiftKey }) => {
    const { cursor, askAct } = state.getState()
    const ask = (act: Act, graceSeconds: number | null = null): boolean => {
      if (cursor === null) return false
      askAct({ act, key: cursor, graceSeconds })
      return true
    }
    switch (key.toLowerCase()) {
      case '/':
        filter.current?.focus()
        filter.current?.select()
        return true
      case 'x':
        return ask('kill')
      case 'e':
        return ask(shiftKey ? 'evictByKubelet' : 'evictThroughApi')
      case 'd':
        // A static pod's object in the API is its mirror, which is deleted by force with a grace period of 0.
        if (rows.get(cursor ?? '')?.kind !== 'regular')
          return ask('deleteMirror', shiftKey ? 0 : null)
        return ask(shiftKey ? 'forceDelete' : 'delete')
      case 'j':
      case 'k':
        grid.current?.focus()
        return grid.current?.move(key) ?? false
      default:
        return false
    }
  })
}
