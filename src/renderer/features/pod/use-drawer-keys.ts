import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { useStore } from '../../store/store-context.ts'
import { isTyping } from '../../ui/is-typing.ts'
import { drawerPanelId, drawerTabId, drawerWhyId } from './drawer-places.ts'

function focusOn(...ids: readonly string[]): void {
  const found = ids.map((id) => document.getElementById(id)).find((element) => element !== null)
  found?.focus()
}

/** `Y` shows the YAML, `W` why the pod is where it is, over every view. Esc is the window's. */
export function useDrawerKeys(): void {
  const { state } = useStore()
  useEffect(() => {
    const handleLetter = (letter: string): boolean => {
      const { setDrawerTab } = state.getState()
      switch (letter) {
        case 'y':
          flushSync(() => setDrawerTab('yaml'))
          focusOn(drawerTabId('yaml'))
          return true
        case 'w':
          flushSync(() => setDrawerTab('summary'))
          focusOn(drawerWhyId, drawerPanelId)
          return true
        default:
          return false
      }
    }
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || state.getState().dialog !== null) return
      if (handleLetter(event.key.toLowerCase())) event.preventDefault()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [state])
}
