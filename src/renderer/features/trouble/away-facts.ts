import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { clockText, countOf } from '../../words/time.ts'
import { hasWorker } from '../../words/worker-word.ts'

export interface AwayFact {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

function names(rows: readonly PodRow[]): string {
  const shown = rows.slice(0, 3).map((row) => row.name)
  return rows.length > 3 ? `${shown.join(', ')} and ${rows.length - 3} more` : shown.join(', ')
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What the kubelet does without its API server, from the rows as they are. Pure. */
export function goesOn(cluster: ClusterView, rows: readonly PodRow[]): readonly AwayFact[] {
  const workers = rows.filter((row) => hasWorker(row) && row.worker !== 'finished')
  const stopping = rows.filter((row) => row.grace !== null)
  const hasFiles = cluster.nodes.some((node) => node.sources.some(({ source }) => source !== 'api'))
  return [
    {
      icon: 'pods',
      title: sentence(countOf(workers.length, 'worker')),
      text: 'syncs, restarts and kills continue',
    },
    ...(hasFiles
      ? [
          {
            icon: 'folder' as const,
            title: 'File and http sources',
            text: 'new manifests start; removed ones stop once every source has answered',
          },
        ]
      : []),
    ...stopping.slice(0, 2).map((row) => ({
      icon: 'clock' as const,
      title: `Grace of ${row.name}`,
      text: `SIGKILL at ${clockText(row.grace?.killAt ?? 0)}, as planned`,
    })),
    { icon: 'evict', title: 'Eviction by the kubelet', text: 'needs no API server' },
  ]
}

/** As the queue of the event recorder has it: the newest is dropped beyond. */
const heldEventsAtMost = 1000

function statuses(nodes: readonly NodeView[]): AwayFact {
  const count = nodes.reduce((sum, node) => sum + node.unsentStatuses.count, 0)
  const shown = nodes.flatMap((node) => node.unsentStatuses.names).slice(0, 3)
  const rest = count - shown.length
  return {
    icon: 'edit',
    title: count === 0 ? 'Statuses' : `${sentence(countOf(count, 'status', 'statuses'))} unsent`,
    text:
      count === 0
        ? 'none is waiting; new ones are cached and written when the API server responds'
        : rest > 0
          ? `${shown.join(', ')} and ${rest} more`
          : shown.join(', '),
  }
}

/** What has to wait until the API server is back. Pure. */
export function waits(cluster: ClusterView, rows: readonly PodRow[]): readonly AwayFact[] {
  const unpaired = rows.filter((row) => row.mirror !== null && row.mirror !== 'matched')
  const ended = rows.filter(
    (row) =>
      row.kind === 'regular' &&
      // One that has only ended stays as an object anyway.
      row.status === 'Terminating' &&
      (row.worker === 'TerminatedPod' || row.worker === 'finished'),
  )
  const held = cluster.nodes.reduce((sum, node) => sum + node.heldEvents, 0)
  return [
    statuses(cluster.nodes),
    ...(unpaired.length === 0
      ? []
      : [
          {
            icon: 'mirror' as const,
            title: sentence(countOf(unpaired.length, 'mirror')),
            text: `created or recreated only then: ${names(unpaired)}`,
          },
        ]),
    ...(ended.length === 0
      ? []
      : [
          {
            icon: 'trash' as const,
            title: 'Deleted pods stay as objects',
            text: `the kubelet’s last DELETE cannot be sent: ${names(ended)}`,
          },
        ]),
    {
      icon: 'events',
      title: held === 0 ? 'Events' : `${sentence(countOf(held, 'event'))} held`,
      text: `more than ${heldEventsAtMost} are dropped`,
    },
    {
      icon: 'unlink',
      title: 'New pods from the API',
      text: 'not received; evictions through the API are impossible',
    },
  ]
}
