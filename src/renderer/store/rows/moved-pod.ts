import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { nodeOfKey } from '../shown-node.ts'
import type { State } from '../state.ts'

/** The current key of a pod that had no node, if it is among the rows; else the same key. */
export function currentKey(key: PodKey, rows: Iterable<PodRow>): PodKey {
  const { cluster, node } = nodeOfKey(key)
  if (node !== '') return key
  const uid = key.slice(key.lastIndexOf('/') + 1)
  for (const row of rows) if (row.uid === uid && row.cluster === cluster) return row.key
  return key
}

/** Keeps a pod selected after it is bound to a node, which changes its key. Pure. */
export function updateMovedKeys(
  { cursor, dialog, follow }: Pick<State, 'cursor' | 'dialog' | 'follow'>,
  rows: () => Iterable<PodRow>,
): Partial<State> {
  const moved = (key: PodKey): PodKey => currentKey(key, rows())
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
