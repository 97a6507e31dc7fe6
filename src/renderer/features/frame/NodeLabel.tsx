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
  const status = clusterStatus(cluster, isLost)
  return (
    <span
      className={classNames(styles['pick'], styles['yields'])}
      title={`${cluster.label}, ${cluster.server}\n${status.word}`}
    >
      <span
        className={classNames(styles['sign'], styles[status.sign], tone[status.tone])}
        aria-hidden="true"
      />
      <b className={styles['cluster']}>{cluster.label}</b>
      {status.sign !== 'ring' ? (
        <span className={textStyles['hidden']}>{status.word}</span>
      ) : (
        <span className={classNames(styles['small'], tone[status.tone], tone['ink'])}>
          {status.word}
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
  const status = nodeStatus(node, cluster)
  return (
    <span
      className={classNames(
        styles['small'],
        status.tone === 'plain' ? styles['dim'] : tone[status.tone],
        tone['ink'],
      )}
    >
      {status.word}
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
