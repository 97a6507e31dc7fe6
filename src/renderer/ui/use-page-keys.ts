import { useEffectEvent, useLayoutEffect } from 'react'
import { useStore } from '../store/store-context.ts'
import { isTyping, movesSlider } from './is-typing.ts'

/**
 * Listens to keys without Ctrl, Cmd and Alt, except while the user types or a pod's dialog is open.
 * `press` says whether it used the key, which then does nothing else.
 */
export function usePageKeys(press: (event: KeyboardEvent) => boolean): void {
  const { state } = useStore()
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || movesSlider(event) || state.getState().dialog !== null) return
    if (press(event)) event.preventDefault()
  })
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => handleKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
