import { useLayoutEffect } from 'react'
import { useStore } from '../../store/store-context.ts'
import { isTyping, movesSlider } from '../../ui/is-typing.ts'
import { pressFrameKey } from './frame-keys.ts'

/** Keys that work in every view. While the user types, only Ctrl+K (Cmd+K) works. */
export function useFrameKeys(): void {
  const store = useStore()
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey) return
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        store.state.getState().setOpenDialog('palette')
        return
      }
      if (event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (movesSlider(event)) return
      if (pressFrameKey(store, event.key)) event.preventDefault()
    }
    // On the window, so the views handle a key first.
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [store])
}
