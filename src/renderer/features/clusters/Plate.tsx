import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { shownSeenNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './frame.module.css'

const words = text.clusters

/** The shown cluster's name in its color, and whether it can be changed; opens the list of clusters. */
export function Plate({
  cluster,
  seen,
}: {
  readonly cluster: ClusterView
  readonly seen: SeenView
}): ReactNode {
  const setOpen = useAppState((state) => state.setSwitcherOpen)
  const node = useAppState((state) => shownSeenNode(state)?.name)
  const showNode = useAppState((state) => state.showNode)
  const state = seen.changes.kind === 'allowed' ? words.changesAllowed : words.readOnly
  return (
    <>
      <button
        type="button"
        className={styles['plate']}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+O Meta+O"
        title={words.plateTitle(cluster.server, seen.user)}
        onClick={() => setOpen(true)}
      >
        <b>{cluster.label}</b> <span className={styles['state']}>{state}</span>
        <Icon name="down" />
      </button>
      {node === undefined ? null : (
        <button
          type="button"
          className={styles['node']}
          title={words.wholeCluster(node)}
          aria-label={words.wholeCluster(node)}
          onClick={() => showNode({ cluster: cluster.id, node: '' })}
        >
          {node}
          <Icon name="close" />
        </button>
      )}
    </>
  )
}
