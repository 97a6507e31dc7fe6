import { useRef } from 'react'
import type { Store } from '../../store/create-store.ts'
import { nodeOfKey } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'

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

/** `G`, then `M`: to the pod's mirror, or from the mirror to its static pod. */
export function useMirrorKeys(): void {
  const store = useStore()
  const firstAt = useRef(Number.NEGATIVE_INFINITY)
  usePageKeys(({ key, timeStamp }) => {
    const letter = key.toLowerCase()
    const isSecond = timeStamp - firstAt.current < waitMs
    firstAt.current = letter === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    if (letter !== 'm' || !isSecond) return false
    goToOther(store)
    return true
  })
}
