import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { countOf } from '../../words/time.ts'

function sentence(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function staticPods(rows: readonly PodRow[], source: 'file' | 'http', from: string): string {
  const count = rows.filter((row) => row.kind === 'static' && row.source === source).length
  return count === 0 ? '' : `${countOf(count, 'static pod')} from ${from}`
}

/**
 * What there is, counted: `One node, two static pods from a folder, two ordinary pods.` With several
 * nodes, `Three nodes. On scope-node-2: one ordinary pod.` Pure.
 */
export function whatIsHere(cluster: ClusterView, node: string, rows: readonly PodRow[]): string {
  const nodes = countOf(cluster.nodes.length, 'node')
  const ordinary = rows.filter((row) => row.kind === 'regular').length
  const pods = [
    staticPods(rows, 'file', 'a folder'),
    staticPods(rows, 'http', 'a URL'),
    ordinary === 0 ? '' : countOf(ordinary, 'ordinary pod'),
    rows.length === 0 ? 'no pods yet' : '',
  ]
  if (cluster.nodes.length < 2) return sentence([nodes, ...pods])
  return `${sentence([nodes])} On ${node}: ${pods.filter((part) => part !== '').join(', ')}.`
}

/** A container that was restarted within this many ms may well be again. */
const restartMemoryMs = 300_000

/** Its containers run and are likely to go on running: none crashes, waits for its image, or was restarted lately. */
function isSteady({ worker, bricks, restarts, lastRestartAt }: PodRow, now: number): boolean {
  return (
    worker === 'SyncPod' &&
    bricks.length > 0 &&
    bricks.every(({ state }) => state === 'running') &&
    (restarts === 0 || (lastRestartAt !== null && now - lastRestartAt > restartMemoryMs))
  )
}

/** Its mirror was deleted or has no status yet, which says nothing of its containers. */
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

/** The pods of the shown node first; those of other nodes are as good for an example. */
function nearFirst(rows: readonly PodRow[], node: string): readonly PodRow[] {
  return rows.toSorted((a, b) => Number(b.node === node) - Number(a.node === node))
}

/** A static pod whose mirror can be deleted, also while it is away; the default namespace first, for a shorter line. */
export function mirrorExample(
  rows: readonly PodRow[],
  { node, now }: { readonly node: string; readonly now: number },
): PodRow | undefined {
  const pairs = nearFirst(rows, node).filter(
    (row) => row.kind === 'static' && (isSteady(row, now) || isMirrorNew(row)),
  )
  return pairs.find((row) => row.namespace === 'default') ?? pairs[0]
}

/** The shipped pod that ignores SIGTERM, where it is; else any that runs and that no one else needs. */
export function graceExample(
  rows: readonly PodRow[],
  { node, now }: { readonly node: string; readonly now: number },
): PodRow | undefined {
  const ordinary = nearFirst(rows, node).filter(
    (row) => row.kind === 'regular' && isSteady(row, now) && row.grace === null,
  )
  return (
    ordinary.find((row) => row.name === 'loud') ??
    ordinary.find((row) => row.namespace !== 'kube-system')
  )
}

/** kubectl's own default namespace needs no flag. */
export function namespaceFlag(pod: Pick<PodRow, 'namespace'>): string {
  return pod.namespace === 'default' ? '' : ` -n ${pod.namespace}`
}

/** The line that makes a pod like the shipped ones anew; both run busybox. Pure. */
export function bringBackLine(pod: Pick<PodRow, 'name' | 'namespace'>): string {
  return `kubectl run${namespaceFlag(pod)} ${pod.name} --image=busybox:1.36 --command -- sleep 3600`
}
