import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { useAppState } from '../../store/store-context.ts'
import details from './AwayDetails.module.css'
import { Banner } from './Banner.tsx'
import { LeaseFate } from './LeaseFate.tsx'
import { shutdownSentence } from './shutdown-sentence.ts'

/** The kubelet of the shown node does not run, or its machine is off: nothing of what is shown moves. Or it is about to be so. */
export function Standing({
  cluster,
  node,
}: {
  readonly cluster: ClusterView
  readonly node: NodeView
}): ReactNode {
  const ask = useAppState((state) => state.askNodeAct)
  const ref = { cluster: cluster.id, node: node.name }
  const isMoreShown = cluster.gotcha === null
  const more = (
    <div className={details['panels']}>
      <LeaseFate cluster={cluster} node={node} since={null} />
    </div>
  )
  if (node.machine === 'off')
    return (
      <Banner
        key="off"
        title={`The machine of ${node.name} is off`}
        act={{ label: 'Boot…', onDo: () => ask({ kind: 'node', act: 'boot', node: ref }) }}
        more={more}
        isMoreShown={isMoreShown}
        moreWords="What the control plane will do"
      >
        Frozen: no kubelet and no container runs. Shown are the last state known to the kubelet and
        the last status in the API.
      </Banner>
    )
  if (node.agent === 'stopped')
    return (
      <Banner
        key="stopped"
        title={`The kubelet of ${node.name} is stopped`}
        act={{
          label: 'Start the kubelet…',
          onDo: () => ask({ kind: 'node', act: 'startAgent', node: ref }),
        }}
        more={more}
        isMoreShown={isMoreShown}
        moreWords="What the control plane will do"
      >
        Frozen: last state known to the kubelet. Containers keep running without supervision.
      </Banner>
    )
  if (node.shutdown.phase === 'running')
    return (
      <Banner
        key="shutdown"
        title={`${node.name} is shutting down`}
        act={{
          label: 'Cancel the shutdown…',
          onDo: () => ask({ kind: 'node', act: 'cancelShutDown', node: ref }),
        }}
      >
        {shutdownSentence(node.shutdown)}
      </Banner>
    )
  return null
}
