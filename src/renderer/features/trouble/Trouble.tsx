import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { AwayDetails } from './AwayDetails.tsx'
import { Banner } from './Banner.tsx'

function Away({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { connection } = cluster
  const { bridge } = useStore()
  const addToast = useAppState((state) => state.addToast)
  if (connection.kind === 'waiting')
    return <Banner title="The node is not started yet">{connection.message}</Banner>
  if (connection.kind !== 'away') return null
  return (
    <Banner
      title="The API server does not answer"
      since={connection.since}
      retryAt={connection.retryAt}
      onRetry={() => {
        bridge.request('cluster.retry', { cluster: cluster.id }).then(
          (result) => addToast(result.ok ? 'Asked again.' : result.error.message),
          () => addToast('The connection to Nodescope was lost before it tried.'),
        )
      }}
      more={<AwayDetails cluster={cluster} since={connection.since} />}
    >
      <code>{connection.message}</code>
    </Banner>
  )
}

/** What concerns the whole: the page's own connection first, since without it nothing else is current. */
export function Trouble(): ReactNode {
  const link = useAppState((state) => state.link)
  const clusters = useAppState((state) => state.clusters)
  if (link.kind === 'refused')
    return <Banner title="Nodescope does not take this page">{link.message}</Banner>
  if (link.kind === 'lost')
    return (
      <Banner title="This page has lost Nodescope" since={link.since}>
        What you see is as of then, and ages run on from it. The node works on or has been stopped:
        this page cannot know. It connects again by itself.
      </Banner>
    )
  return clusters.map((cluster) => <Away key={cluster.id} cluster={cluster} />)
}
