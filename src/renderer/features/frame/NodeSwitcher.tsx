import type { ReactNode } from 'react'
import { useRef } from 'react'
import { hasSeveralNodes, shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ClusterLabel, NodeLabel } from './NodeLabel.tsx'
import { NodeMenu } from './NodeMenu.tsx'
import styles from './NodeSwitcher.module.css'

/** The shown cluster and node; with several nodes, a button that opens the node menu. */
export function NodeSwitcher(): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState(shownNode)
  const hasSeveral = useAppState(hasSeveralNodes)
  const isOpen = useAppState((state) => state.isNodesOpen)
  const setOpen = useAppState((state) => state.setNodesOpen)
  const opener = useRef<HTMLButtonElement>(null)
  if (cluster === undefined) return null
  const words = (
    <>
      <ClusterLabel cluster={cluster} />
      {node === undefined ? null : <NodeLabel node={node} cluster={cluster} />}
    </>
  )
  if (!hasSeveral) return words
  return (
    <div
      className={styles['place']}
      onBlur={(event) => {
        if (isOpen && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={opener}
        type="button"
        className={styles['opener']}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-keyshortcuts="n"
        title={text.frame.nodes.choose}
        onClick={() => setOpen(!isOpen)}
      >
        {words}
        <Icon name="down" />
      </button>
      {isOpen ? (
        <NodeMenu
          onClose={() => {
            setOpen(false)
            opener.current?.focus()
          }}
        />
      ) : null}
    </div>
  )
}
