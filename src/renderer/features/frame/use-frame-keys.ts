import { useEffect } from 'react'
import { useStore } from '../../store/store-context.ts'
import { isTyping } from '../../ui/is-typing.ts'
import { pressFrameKey } from './frame-keys.ts'

/** Keys that work in every view. Ctrl or Cmd K works also while typing; all others are off then. */
export function useFrameKeys(): void {
  const store = useStore()
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        store.state.getState().setPaletteOpen(true)
        return
      }
      if (event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (pressFrameKey(store, event.key)) event.preventDefault()
    }
    // On the window, after the views: a key that one of them has taken is not taken twice.
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [store])
}
