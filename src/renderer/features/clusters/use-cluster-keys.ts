import { useLayoutEffect } from 'react'
import { shownCluster, shownSeen } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { isTyping } from '../../ui/is-typing.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'

/** Ctrl+O in every view; Shift+A and R where a cluster is only looked at. */
export function useClusterKeys(): void {
  const { state } = useStore()
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isChord || event.key.toLowerCase() !== 'o' || event.defaultPrevented) return
      if (isTyping(event.target)) return
      event.preventDefault()
      state.getState().setSwitcherOpen(true)
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [state])
  usePageKeys(({ key, shiftKey }) => {
    const { setAllowOpen, show, isDrawerOpen } = state.getState()
    const seen = shownSeen(state.getState())
    if (seen === undefined || shownCluster(state.getState())?.recording !== null) return false
    if (key === 'A' && shiftKey && seen.changes.kind === 'readOnly') {
      setAllowOpen(true)
      return true
    }
    // In the panel of a pod, R restarts a container.
    if (key !== 'r' || isDrawerOpen) return false
    show('rights')
    return true
  })
}
