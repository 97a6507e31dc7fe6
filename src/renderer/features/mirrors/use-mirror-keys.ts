import { useEffect } from 'react'
import type { Store } from '../../store/create-store.ts'
import { nodeOfKey } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { isTyping } from '../../ui/is-typing.ts'

/** How long `G` waits for the second letter. */
const waitMs = 1500

/** From a pod to its pair; from a pair to the pod in the table. */
function goToOther({ state, rows, pairs }: Store): void {
  const now = state.getState()
  if (now.view === 'mirrors') {
    const pair = pairs.byId(now.pairId)
    if (pair !== undefined) now.moveCursor(pair.key)
    now.show('pods')
    return
  }
  const row = now.cursor === null ? undefined : rows.lastKnown(now.cursor)
  if (row?.kind === 'regular') now.addToast(text.mirrors.isRegular(row.name))
  else if (row === undefined) now.showMirror(null)
  else now.showMirror(row.uid, nodeOfKey(row.key))
}

/** `G` and then `M`: to the pod's mirror, or from the mirror to its static pod. */
export function useMirrorKeys(): void {
  const store = useStore()
  useEffect(() => {
    let firstAt = Number.NEGATIVE_INFINITY
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || store.state.getState().dialog !== null) return
      const key = event.key.toLowerCase()
      const isSecond = event.timeStamp - firstAt < waitMs
      firstAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (key !== 'm' || !isSecond) return
      event.preventDefault()
      goToOther(store)
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [store])
}
