import { useEffect } from 'react'
import type { Store } from '../../store/create-store.ts'
import { nodeOfKey } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { isTyping } from '../../ui/is-typing.ts'

/** So long `G` waits for the letter that says where to. */
const waitMs = 1500

/** From a pod to its pair; from a pair to the pod in the table. */
function goAcross({ state, rows, pairs }: Store): void {
  const now = state.getState()
  if (now.view === 'mirrors') {
    const pair = pairs.byId(now.pairId)
    if (pair !== undefined) now.moveCursor(pair.key)
    now.show('pods')
    return
  }
  const row = now.cursor === null ? undefined : rows.lastKnown(now.cursor)
  if (row?.kind === 'regular') now.addToast(`${row.name} is a regular pod without a mirror.`)
  else if (row === undefined) now.showMirror(null)
  else now.showMirror(row.uid, nodeOfKey(row.key))
}

/** `G` and then `M`: to the pod's mirror, or from the mirror to its static pod. */
export function useMirrorKeys(): void {
  const store = useStore()
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || store.state.getState().dialog !== null) return
      const key = event.key.toLowerCase()
      const isSecond = event.timeStamp - begunAt < waitMs
      begunAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (key !== 'm' || !isSecond) return
      event.preventDefault()
      goAcross(store)
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [store])
}
