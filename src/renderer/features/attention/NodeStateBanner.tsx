import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { text } from '../../text/text.ts'
import { Banner } from './Banner.tsx'
import { LeaseTimeline } from './LeaseTimeline.tsx'
import details from './OutageDetails.module.css'

const acts = { off: 'boot', stopped: 'startAgent', shuttingDown: 'cancelShutDown' } as const

function stateOf({ machine, agent, shutdown }: NodeView): keyof typeof acts | undefined {
  if (machine === 'off') return 'off'
  if (agent === 'stopped') return 'stopped'
  return shutdown.phase === 'running' ? 'shuttingDown' : undefined
}

/** The machine of the shown node is off or shutting down, or its kubelet is stopped. */
export function NodeStateBanner({
  cluster,
  node,
}: {
  readonly cluster: ClusterView
  readonly node: NodeView
}): ReactNode {
  const state = stateOf(node)
  if (state === undefined) return null
  const { title, act, meaning } = text.attention.node[state]
  const ref = { cluster: cluster.id, node: node.name }
  const more = (
    <div className={details['panels']}>
      <LeaseTimeline cluster={cluster} node={node} since={null} />
    </div>
  )
  return (
    <Banner
      key={state}
      title={title(node.name)}
      act={{ label: act, dialog: { kind: 'node', act: acts[state], node: ref } }}
      more={state === 'shuttingDown' ? undefined : more}
      isMoreShown={cluster.scenario === null}
      moreLabel={text.attention.controlPlane}
    >
      {meaning(node.shutdown)}
    </Banner>
  )
}
