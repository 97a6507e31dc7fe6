import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { clockText } from '../../words/time.ts'
import { hasWorker } from '../../words/worker-state.ts'

const words = text.attention.outage

export interface OutageFact {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** `web, dns, api and 2 more`: the first of `count` names. */
function firstNames(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, 3)
  return words.names(shown.join(', '), count - shown.length)
}

function namesOf(rows: readonly PodRow[]): string {
  return firstNames(rows.map(({ name }) => name))
}

/** What the kubelet does without its API server, from the rows as they are. Pure. */
export function continuing(cluster: ClusterView, rows: readonly PodRow[]): readonly OutageFact[] {
  const workers = rows.filter((row) => hasWorker(row) && row.worker !== 'finished')
  const hasFiles = cluster.nodes.some((node) => node.sources.some(({ source }) => source !== 'api'))
  const graces = rows.flatMap(({ name, grace }) => (grace === null ? [] : [{ name, grace }]))
  return [
    { icon: 'pods', ...words.workers(cluster.seen === null ? workers.length : null) },
    ...(hasFiles ? [{ icon: 'folder' as const, ...words.sources }] : []),
    ...graces.slice(0, 2).map(({ name, grace }) => ({
      icon: 'clock' as const,
      ...words.grace(name, clockText(grace.killAt)),
    })),
    { icon: 'evict', ...words.eviction },
  ]
}

/** What has to wait until the API server responds. Pure. */
export function waiting(
  { nodes, seen }: ClusterView,
  rows: readonly PodRow[],
): readonly OutageFact[] {
  const unsent = nodes.reduce((sum, node) => sum + node.unsentStatuses.count, 0)
  const unsentNames = nodes.flatMap((node) => node.unsentStatuses.names)
  const events = nodes.reduce((sum, node) => sum + node.heldEvents, 0)
  const unmatched = rows.filter((row) => row.mirror !== null && row.mirror !== 'matched')
  const ended = rows.filter(
    (row) =>
      row.kind === 'regular' &&
      // The object of a pod that ended without a delete stays anyway.
      row.status === 'Terminating' &&
      (row.worker === 'TerminatedPod' || row.worker === 'finished'),
  )
  const mirrors = words.mirrors(unmatched.length, namesOf(unmatched))
  return [
    {
      icon: 'edit',
      ...words.statuses(seen === null ? unsent : null, firstNames(unsentNames, unsent)),
    },
    ...(unmatched.length === 0 ? [] : [{ icon: 'mirror' as const, ...mirrors }]),
    ...(ended.length === 0 ? [] : [{ icon: 'trash' as const, ...words.ended(namesOf(ended)) }]),
    { icon: 'events', ...words.events(events) },
    { icon: 'unlink', ...words.newPods },
  ]
}
