import type { RefObject } from 'react'
import { useEffect } from 'react'
import type { Act } from '../../../shared/model/act.ts'
import { useStore } from '../../store/store-context.ts'
import type { PodGridHandle } from './PodGrid.tsx'

interface Places {
  readonly filter: RefObject<HTMLInputElement | null>
  readonly grid: RefObject<PodGridHandle | null>
}

/** Keys are off while typing; a radio button takes no letters. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=radio]), textarea, select, dialog') !== null
  )
}

/** Letters never act: they open the dialog of the act, for the row that is the active one. */
export function usePodKeys({ filter, grid }: Places): void {
  const { state, rows } = useStore()
  useEffect(() => {
    const handleLetter = (event: KeyboardEvent): boolean => {
      const { cursor, askAct } = state.getState()
      const ask = (act: Act, graceSeconds: number | null = null): boolean => {
        if (cursor === null) return false
        askAct({ act, key: cursor, graceSeconds })
        return true
      }
      switch (event.key) {
        case '/':
          filter.current?.focus()
          filter.current?.select()
          return true
        case 'x':
        case 'X':
          return ask('kill')
        case 'e':
        case 'E':
          return ask(event.shiftKey ? 'evictByKubelet' : 'evictThroughApi')
        case 'd':
        case 'D': {
          const isForced = event.shiftKey
          // A static pod's object in the API is its mirror, which is deleted by force with a grace of 0.
          if (rows.get(cursor ?? '')?.kind !== 'regular')
            return ask('deleteMirror', isForced ? 0 : null)
          return ask(isForced ? 'forceDelete' : 'delete')
        }
        case 'j':
        case 'J':
        case 'k':
        case 'K':
          grid.current?.focus()
          return grid.current?.move(event.key) ?? false
        default:
          return false
      }
    }
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || state.getState().dialog !== null) return
      if (handleLetter(event)) event.preventDefault()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [state, rows, filter, grid])
}
