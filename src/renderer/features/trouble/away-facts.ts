import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { clockText, countOf } from '../../words/time.ts'

export interface AwayFact {
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
  const workers = rows.filter((row) => row.worker !== 'none' && row.worker !== 'finished')
  const stopping = rows.filter((row) => row.grace !== null)
  const hasFiles = cluster.nodes.some((node) => node.sources.some(({ source }) => source !== 'api'))
  return [
    {
      title: sentence(countOf(workers.length, 'worker')),
      text: 'syncs, restarts and kills go on',
    },
    ...(hasFiles
      ? [
          {
            title: 'File and http sources',
            text: 'new manifests start; removed ones stop once every source has answered',
          },
        ]
      : []),
    ...stopping.slice(0, 2).map((row) => ({
      title: `Grace of ${row.name}`,
      text: `SIGKILL at ${clockText(row.grace?.killAt ?? 0)}, as asked`,
    })),
    { title: 'Eviction by the kubelet', text: 'needs nobody’s leave' },
  ]
}

/** What has to wait until the API server is back. Pure. */
export function waits(rows: readonly PodRow[]): readonly AwayFact[] {
  const unpaired = rows.filter((row) => row.mirror !== null && row.mirror !== 'matched')
  const ended = rows.filter(
    (row) =>
      row.kind === 'regular' && (row.worker === 'TerminatedPod' || row.worker === 'finished'),
  )
  return [
    { title: 'Statuses', text: 'kept in the cache, written when it answers' },
    ...(unpaired.length === 0
      ? []
      : [
          {
            title: sentence(countOf(unpaired.length, 'mirror')),
            text: `made or made anew only then: ${names(unpaired)}`,
          },
        ]),
    ...(ended.length === 0
      ? []
      : [
          {
            title: 'Deleted pods stay as objects',
            text: `the kubelet’s last DELETE cannot be sent: ${names(ended)}`,
          },
        ]),
    { title: 'New pods from the API', text: 'not seen, and evictions through the API not asked' },
    {
      title: 'The node’s lease',
      text: 'not renewed; the cluster may call the node Unknown while its pods run on',
    },
  ]
}
