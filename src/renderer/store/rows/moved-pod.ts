import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { nodeOfKey } from '../shown-node.ts'
import type { State } from '../state.ts'

/** The key of a pod that had no node, among the rows that came since; the same key where it is none of them. */
export function movedKey(key: PodKey, rows: Iterable<PodRow>): PodKey {
  const { cluster, node } = nodeOfKey(key)
  if (node !== '') return key
  const uid = key.slice(key.lastIndexOf('/') + 1)
  for (const row of rows) if (row.uid === uid && row.cluster === cluster) return row.key
  return key
}

/** The state once a pod that is looked at has been bound to a node: its key has changed, and what was chosen stays chosen. Pure. */
export function followMoved(
  { cursor, dialog, follow }: Pick<State, 'cursor' | 'dialog' | 'follow'>,
  rows: () => Iterable<PodRow>,
): Partial<State> {
  const moved = (key: PodKey): PodKey => movedKey(key, rows())
  const newCursor = cursor === null ? null : moved(cursor)
  const dialogKey = dialog === null ? '' : moved(dialog.key)
  const followKey = follow.kind === 'pod' ? moved(follow.key) : ''
  return {
    ...(newCursor === cursor ? {} : { cursor: newCursor }),
    ...(dialog === null || dialogKey === dialog.key
      ? {}
      : { dialog: { ...dialog, key: dialogKey } }),
    ...(follow.kind !== 'pod' || followKey === follow.key
      ? {}
      : { follow: { ...follow, key: followKey } }),
  }
}
