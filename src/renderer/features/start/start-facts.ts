import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'

/** The nodes of the cluster and the pods of the shown node, counted in a sentence. Pure. */
export function clusterSummary(
  cluster: ClusterView,
  node: string,
  rows: readonly PodRow[],
): string {
  const statics = rows.filter(({ kind }) => kind === 'static')
  return text.start.summary({
    nodes: cluster.nodes.length,
    node,
    pods: rows.length,
    file: statics.filter(({ source }) => source === 'file').length,
    http: statics.filter(({ source }) => source === 'http').length,
    regular: rows.filter(({ kind }) => kind === 'regular').length,
  })
}

/** A container that restarted within this many ms may restart again. */
const restartMemoryMs = 300_000

/** Whether its containers run and will probably keep running: none crashes, waits for its image, or restarted recently. */
function isSteady({ worker, bricks, restarts, lastRestartAt }: PodRow, now: number): boolean {
  return (
    worker === 'SyncPod' &&
    bricks.length > 0 &&
    bricks.every(({ state }) => state === 'running') &&
    (restarts === 0 || (lastRestartAt !== null && now - lastRestartAt > restartMemoryMs))
  )
}

/** Whether its containers may run although its mirror was deleted or has no status yet. */
function isMirrorNew({ worker, bricks, mirror, status, restarts }: PodRow): boolean {
  const isNew = mirror !== 'matched' || status === 'Pending'
  return (
    worker === 'SyncPod' &&
    isNew &&
    restarts === 0 &&
    bricks.length > 0 &&
    bricks.every(({ state }) => state !== 'down')
  )
}

/** The pods of the shown node first. */
function shownNodeFirst(rows: readonly PodRow[], node: string): readonly PodRow[] {
  return rows.toSorted((a, b) => Number(b.node === node) - Number(a.node === node))
}

/** A static pod whose mirror can be deleted; the default namespace first, for a shorter command. */
export function mirrorExample(
  rows: readonly PodRow[],
  { node, now }: { readonly node: string; readonly now: number },
): PodRow | undefined {
  const pairs = shownNodeFirst(rows, node).filter(
    (row) => row.kind === 'static' && (isSteady(row, now) || isMirrorNew(row)),
  )
  return pairs.find((row) => row.namespace === 'default') ?? pairs[0]
}

/** The sandbox's pod that ignores SIGTERM, if it runs; else any outside kube-system. */
export function graceExample(
  rows: readonly PodRow[],
  { node, now }: { readonly node: string; readonly now: number },
): PodRow | undefined {
  const regular = shownNodeFirst(rows, node).filter(
    (row) => row.kind === 'regular' && isSteady(row, now) && row.grace === null,
  )
  return (
    regular.find((row) => row.name === 'loud') ??
    regular.find((row) => row.namespace !== 'kube-system')
  )
}

/** kubectl's own default namespace needs no flag. */
export function namespaceFlag(pod: Pick<PodRow, 'namespace'>): string {
  return pod.namespace === 'default' ? '' : ` -n ${pod.namespace}`
}

/** Creates a pod like the sandbox's, which run busybox. Pure. */
export function recreateCommand(pod: Pick<PodRow, 'name' | 'namespace'>): string {
  return `kubectl run${namespaceFlag(pod)} ${pod.name} --image=busybox:1.36 --command -- sleep 3600`
}
