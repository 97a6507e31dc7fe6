import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownNode } from '../../store/shown-node.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { AwayDetails } from './AwayDetails.tsx'
import { Banner } from './Banner.tsx'
import { NotCurrent } from './NotCurrent.tsx'
import { Standing } from './Standing.tsx'

function cutWords({ label, gotcha }: ClusterView, isNamed: boolean): string {
  if (gotcha !== null) return ' of the gotcha'
  return isNamed ? ` of ${label}` : ''
}

/** Nodes that are cut off while others are not. */
function SomeCutOff({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const ask = useAppState((state) => state.askNodeAct)
  return cluster.nodes.map(({ name, isCutOff }) =>
    isCutOff === true ? (
      <Banner
        key={name}
        title={`${name} is cut off from the API server`}
        act={{
          label: 'Reconnect…',
          onDo: () =>
            ask({ kind: 'node', act: 'reconnect', node: { cluster: cluster.id, node: name } }),
        }}
      >
        Its pods continue; their statuses, mirrors and the lease wait. Other nodes, kubectl and this
        page still reach the API server.
      </Banner>
    ) : null,
  )
}

/** `isNamed`: there are several clusters. */
function Away({
  cluster,
  isShown,
  isNamed,
}: {
  readonly cluster: ClusterView
  readonly isShown: boolean
  readonly isNamed: boolean
}): ReactNode {
  const { connection } = cluster
  const { bridge } = useStore()
  const addToast = useAppState((state) => state.addToast)
  const ask = useAppState((state) => state.askNodeAct)
  if (connection.kind === 'waiting')
    return (
      <Banner
        title={
          isNamed
            ? `The node of ${cluster.label} is not started yet`
            : 'The node is not started yet'
        }
      >
        {connection.message}
      </Banner>
    )
  if (connection.kind !== 'away') return <SomeCutOff cluster={cluster} />
  if (cluster.isCutOff === true)
    return (
      <Banner
        title={`The nodes${cutWords(cluster, isNamed)} are cut off`}
        act={{
          label: 'Reconnect…',
          onDo: () => ask({ kind: 'link', act: 'reconnect', cluster: cluster.id }),
        }}
        // The gotcha describes its steps below; the rest is one click away.
        isMoreShown={cluster.gotcha === null}
        more={isShown ? <AwayDetails cluster={cluster} since={null} /> : undefined}
      >
        The nodes were disconnected from the API server in Nodescope. kubectl and this page still
        reach it.
      </Banner>
    )
  return (
    <Banner
      title={
        isNamed
          ? `The API server of ${cluster.label} does not answer`
          : 'The API server does not answer'
      }
      since={connection.since}
      retryAt={connection.retryAt}
      onRetry={() => {
        bridge.request('cluster.retry', { cluster: cluster.id }).then(
          (result) => addToast(result.ok ? 'Retried.' : result.error.message),
          () => addToast('The connection to Nodescope was lost before the retry.'),
        )
      }}
      more={isShown ? <AwayDetails cluster={cluster} since={connection.since} /> : undefined}
    >
      <code>{connection.message}</code>
    </Banner>
  )
}

/** What concerns the whole: the page's own connection first, since without it nothing else is current. */
export function Trouble(): ReactNode {
  const link = useAppState((state) => state.link)
  const clusters = useAppState((state) => state.clusters)
  const here = useAppState(shownCluster)
  const node = useAppState(shownNode)
  if (link.kind === 'refused') return <Banner title="Access token rejected">{link.message}</Banner>
  if (link.kind === 'lost')
    return (
      <Banner title="Connection to Nodescope lost" since={link.since}>
        The page shows the state of that moment; ages keep counting. The node may still run or may
        have stopped. The page reconnects automatically.
      </Banner>
    )
  return (
    <>
      <NotCurrent />
      {clusters.map((cluster) => (
        <Away
          key={cluster.id}
          cluster={cluster}
          isShown={cluster === here}
          isNamed={clusters.length > 1}
        />
      ))}
      {here === undefined || node === undefined ? null : <Standing cluster={here} node={node} />}
    </>
  )
}
