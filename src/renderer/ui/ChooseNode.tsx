import type { ReactNode } from 'react'
import { shownCluster, shownSeen } from '../store/shown-node.ts'
import { useAppState } from '../store/store-context.ts'
import { text } from '../text/text.ts'
import { Button } from './Button.tsx'
import styles from './ChooseNode.module.css'
import { EmptyState } from './EmptyState.tsx'

/** More nodes are easier to find in their own view, which has a filter. */
const mostNodes = 12

/** Stands in for a view of one node while the whole cluster is shown. */
export function ChooseNode({ meaning }: { readonly meaning: string }): ReactNode {
  const show = useAppState((state) => state.show)
  const showNode = useAppState((state) => state.showNode)
  const cluster = useAppState(shownCluster)?.id
  const nodes = useAppState(shownSeen)?.nodes ?? []
  const { choose, toNodes } = text.inspect
  const offered = cluster === undefined || nodes.length > mostNodes ? [] : nodes
  const acts = (
    <div className={styles['acts']}>
      {offered.map(({ name }) => (
        <Button
          key={name}
          icon="node"
          onClick={() => showNode({ cluster: cluster ?? '', node: name })}
        >
          {name}
        </Button>
      ))}
      <Button variant={offered.length === 0 ? 'plain' : 'quiet'} onClick={() => show('nodes')}>
        {toNodes}
      </Button>
    </div>
  )
  return (
    <div className={styles['view']}>
      <EmptyState title={choose} act={acts}>
        {meaning}
      </EmptyState>
    </div>
  )
}
