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

function isUp(row: PodRow): boolean {
  return row.worker === 'SyncPod' && row.totalContainers > 0
}

/** A static pod whose mirror can be deleted, also while it is away; the default namespace first, for a shorter line. */
export function mirrorExample(rows: readonly PodRow[]): PodRow | undefined {
  const pairs = rows.filter((row) => row.kind === 'static' && isUp(row))
  return pairs.find((row) => row.namespace === 'default') ?? pairs[0]
}

/** The shipped pod that ignores SIGTERM, where it is; else any that runs and nobody else needs. */
export function graceExample(rows: readonly PodRow[]): PodRow | undefined {
  const ordinary = rows.filter((row) => row.kind === 'regular' && isUp(row) && row.grace === null)
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
