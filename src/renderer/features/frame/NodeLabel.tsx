import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import tone from '../../ui/tone.module.css'
import textStyles from '../../ui/text.module.css'
import styles from './NodeLabel.module.css'
import { clusterStatus, nodeStatus } from './node-status.ts'

/** A cluster's name with the sign of its connection; while it is connecting, also in words. */
export function ClusterLabel({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const isLost = useAppState((state) => isCutOff(state.link))
  const look = clusterStatus(cluster, isLost)
  return (
    <span
      className={classNames(styles['pick'], styles['yields'])}
      title={`${cluster.label}, ${cluster.server}\n${look.word}`}
    >
      <span
        className={classNames(styles['sign'], styles[look.sign], tone[look.tone])}
        aria-hidden="true"
      />
      <b className={styles['cluster']}>{cluster.label}</b>
      {look.sign !== 'ring' ? (
        <span className={textStyles['hidden']}>{look.word}</span>
      ) : (
        <span className={classNames(styles['small'], tone[look.tone], tone['ink'])}>
          {look.word}
        </span>
      )}
    </span>
  )
}

interface NodeProps {
  readonly node: NodeView
  readonly cluster: ClusterView
}

/** A node's STATUS in its color. */
export function NodeStatus({ node, cluster }: NodeProps): ReactNode {
  const look = nodeStatus(node, cluster)
  return (
    <span
      className={classNames(
        styles['small'],
        look.tone === 'plain' ? styles['dim'] : tone[look.tone],
        tone['ink'],
      )}
    >
      {look.word}
    </span>
  )
}

/** A node's name with its STATUS. */
export function NodeLabel({ node, cluster }: NodeProps): ReactNode {
  return (
    <span
      className={styles['pick']}
      title={text.frame.nodes.title(node.name, node.status, node.runtime)}
    >
      <b>{node.name}</b>
      <NodeStatus node={node} cluster={cluster} />
    </span>
  )
}
