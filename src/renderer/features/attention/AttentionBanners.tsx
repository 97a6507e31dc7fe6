import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Banner } from './Banner.tsx'
import { FaultBanners } from './FaultBanners.tsx'
import { NodeStateBanner } from './NodeStateBanner.tsx'
import { NotCurrent } from './NotCurrent.tsx'
import { PluginBanner } from './PluginBanner.tsx'
import { OutageDetails } from './OutageDetails.tsx'

const words = text.attention

/** Nodes that are cut off while others are not. */
function CutOffNodes({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  return cluster.nodes.map(({ name, isCutOff }) => {
    if (isCutOff !== true) return null
    const node = { cluster: cluster.id, node: name }
    return (
      <Banner
        key={name}
        title={words.nodeCutOff(name)}
        act={{ label: words.reconnect, dialog: { kind: 'node', act: 'reconnect', node } }}
      >
        {words.nodeCutOffMeaning}
      </Banner>
    )
  })
}

/** Whether the nodes of a cluster reach its API server. `isNamed`: there are several clusters. */
function ConnectionBanner({
  cluster,
  isShown,
  isNamed,
}: {
  readonly cluster: ClusterView
  readonly isShown: boolean
  readonly isNamed: boolean
}): ReactNode {
  const { connection, scenario, id } = cluster
  const { bridge } = useStore()
  const addToast = useAppState((state) => state.addToast)
  const label = isNamed ? cluster.label : ''
  if (connection.kind === 'waiting')
    return <Banner title={words.notStarted(label)}>{connection.message}</Banner>
  if (connection.kind !== 'away') return <CutOffNodes cluster={cluster} />
  const isSeen = cluster.seen !== null
  // Nothing here depends on a cluster that is only looked at, and not now.
  if (isSeen && !isShown) return null
  if (cluster.isCutOff === true)
    return (
      <Banner
        title={words.allCutOff(scenario === null ? label : words.gotcha)}
        act={{ label: words.reconnect, dialog: { kind: 'link', act: 'reconnect', cluster: id } }}
        // A gotcha explains itself below; the details are one click away.
        isMoreShown={scenario === null}
        more={isShown ? <OutageDetails cluster={cluster} since={null} /> : undefined}
      >
        {words.allCutOffMeaning}
      </Banner>
    )
  return (
    <Banner
      title={isSeen ? words.unread(cluster.label) : words.noAnswer(label)}
      since={connection.since}
      retryAt={connection.retryAt}
      onRetry={() => {
        bridge.request('cluster.retry', { cluster: id }).then(
          (result) => addToast(result.ok ? words.retried : result.error.message),
          () => addToast(words.retryLost),
        )
      }}
      // Why it cannot be read may be Nodescope's own: its kubelets may reach it.
      more={
        isShown && !isSeen ? (
          <OutageDetails cluster={cluster} since={connection.since} />
        ) : undefined
      }
    >
      <code>{connection.message}</code>
    </Banner>
  )
}

/** What concerns every view: the page's own connection first, since nothing else is current without it. */
export function AttentionBanners(): ReactNode {
  const link = useAppState((state) => state.link)
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState(shownCluster)
  const node = useAppState(shownNode)
  if (link.kind === 'refused') return <Banner title={words.tokenRejected}>{link.message}</Banner>
  if (link.kind === 'lost')
    return (
      <Banner title={words.linkLost} since={link.since}>
        {words.linkLostMeaning}
      </Banner>
    )
  return (
    <>
      <NotCurrent />
      {clusters.map((cluster) => (
        <PluginBanner key={cluster.id} cluster={cluster} />
      ))}
      {clusters.map((cluster) => (
        <ConnectionBanner
          key={cluster.id}
          cluster={cluster}
          isShown={cluster === here}
          isNamed={clusters.length > 1}
        />
      ))}
      {clusters.map((cluster) => (
        <FaultBanners key={cluster.id} cluster={cluster} />
      ))}
      {here === undefined || node === undefined ? null : (
        <NodeStateBanner cluster={here} node={node} />
      )}
    </>
  )
}
