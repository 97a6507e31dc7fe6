import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { matchesNodeAffinity } from '../../../shared/kubernetes/node-affinity.ts'
import type { KubeObject, Taint, Toleration } from '../../../shared/kubernetes/objects.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'

/** The properties of a node that decide which DaemonSets run there. */
export interface NodeFacts {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
}

// What the DaemonSet controller adds to every pod (pkg/controller/daemon/util: AddOrUpdateDaemonPodTolerations).
const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]

const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
}

function toleratesAll(spec: JsonObject, taints: readonly Taint[]): boolean {
  const tolerations: readonly Toleration[] = [
    // From the server; entries of another shape tolerate nothing.
    ...(objectsAt(spec, 'tolerations') as readonly Toleration[]),
    ...daemonTolerations,
    ...(spec['hostNetwork'] === true ? [hostNetworkToleration] : []),
  ]
  return taints
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .every((taint) => tolerations.some((toleration) => toleratesTaint(toleration, taint)))
}

/** Whether the DaemonSet controller would create a pod on the node (pkg/controller/daemon: NodeShouldRunDaemonPod). */
export function nodeShouldRunDaemonPod(daemonSet: KubeObject, node: NodeFacts): boolean {
  const template = objectAt(objectAt(daemonSet, 'spec'), 'template')
  const spec = objectAt(template, 'spec')
  const nodeName = textAt(spec, 'nodeName')
  if (nodeName !== '' && nodeName !== node.name) return false
  return matchesNodeAffinity(spec, node) && toleratesAll(spec, node.taints)
}
