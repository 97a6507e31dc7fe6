import type { JsonObject } from '../../../../shared/json.ts'
import { listAt, objectAt, objectsAt } from '../../../../shared/json.ts'
import { matchesNodeAffinity } from '../../../../shared/kubernetes/node-affinity.ts'
import type { Node, Pod, PodSpec, Toleration } from '../../../../shared/kubernetes/objects.ts'
import { toleratesTaint } from '../../../../shared/kubernetes/taints.ts'
import type { DaemonSet } from '../../../../shared/kubernetes/workloads.ts'
import { podOfTemplate } from '../workloads/pod-control.ts'

/** Source: pkg/controller/daemon/util/daemonset_util.go and NodeShouldRunDaemonPod (v1.34). */

export const revisionHashLabel = 'controller-revision-hash'
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[generationAnnotation]
  return text !== undefined && /^-?\d+$/.test(text) ? text : undefined
}

function daemonTolerations({ hostNetwork }: PodSpec): readonly Toleration[] {
  const exists = (name: string, effect: 'NoExecute' | 'NoSchedule'): Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  })
  return [
    exists('not-ready', 'NoExecute'),
    exists('unreachable', 'NoExecute'),
    exists('disk-pressure', 'NoSchedule'),
    exists('memory-pressure', 'NoSchedule'),
    exists('pid-pressure', 'NoSchedule'),
    exists('unschedulable', 'NoSchedule'),
    ...(hostNetwork === true ? [exists('network-unavailable', 'NoSchedule')] : []),
  ]
}

function tolerationsOf(spec: PodSpec): readonly Toleration[] {
  const own = spec.tolerations ?? []
  const isSame = (a: Toleration, b: Toleration): boolean =>
    a.key === b.key &&
    a.effect === b.effect &&
    a.operator === b.operator &&
    (a.value ?? '') === (b.value ?? '')
  const daemon = daemonTolerations(spec)
  const kept = own.map((one) => daemon.find((other) => isSame(one, other)) ?? one)
  return [...kept, ...daemon.filter((one) => !own.some((other) => isSame(one, other)))]
}

/** Whether a node gets a pod, and whether a pod that it has may stay. */
export function shouldRun(
  { spec: { template } }: DaemonSet,
  node: Node,
): { readonly runs: boolean; readonly stays: boolean } {
  const { name } = node.metadata
  const { spec } = template
  const isOther = (spec.nodeName ?? '') !== '' && spec.nodeName !== name
  if (isOther || !matchesNodeAffinity(spec, { name, labels: node.metadata.labels ?? {} }))
    return { runs: false, stays: false }
  const tolerations = tolerationsOf(spec)
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' && !tolerations.some((one) => toleratesTaint(one, taint)),
  )
  if (untolerated.length === 0) return { runs: true, stays: true }
  return { runs: false, stays: !untolerated.some(({ effect }) => effect === 'NoExecute') }
}

/** The node that a pod is on, or is meant for. */
export function targetNode({ spec }: Pod): string | undefined {
  if ((spec.nodeName ?? '') !== '') return spec.nodeName
  const affinity = objectAt(objectAt({ ...spec }, 'affinity'), 'nodeAffinity')
  const required = objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  for (const term of objectsAt(required, 'nodeSelectorTerms')) {
    const field = objectsAt(term, 'matchFields').find(
      (one) => one['key'] === 'metadata.name' && one['operator'] === 'In',
    )
    const [name] = field === undefined ? [] : listAt(field, 'values')
    if (typeof name === 'string') return name
  }
  return undefined
}

/** The new pod for a node: the scheduler may bind it only there. */
export function daemonPod(set: DaemonSet, node: string, hash: string): JsonObject {
  const { template } = set.spec
  const generation = templateGeneration(set)
  const labels = {
    ...template.metadata?.labels,
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [revisionHashLabel]: hash,
  }
  const affinity = objectAt({ ...template.spec }, 'affinity')
  const field = { key: 'metadata.name', operator: 'In', values: [node] }
  const required = { nodeSelectorTerms: [{ matchFields: [field] }] }
  const nodeAffinity = {
    ...objectAt(affinity, 'nodeAffinity'),
    requiredDuringSchedulingIgnoredDuringExecution: required,
  }
  const spec = {
    ...template.spec,
    affinity: { ...affinity, nodeAffinity },
    tolerations: tolerationsOf(template.spec),
  }
  const owner = { resource: 'apps/v1/daemonsets', object: set } as const
  return podOfTemplate({ ...template, metadata: { ...template.metadata, labels }, spec }, owner)
}

/** Whether a pod has the present template. */
export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const generation = templateGeneration(set)
  const { labels = {} } = metadata
  return (
    labels[revisionHashLabel] === hash ||
    (generation !== undefined && labels[generationLabel] === generation)
  )
}

/** Pods that are on their node first, then the older ones, then by name. */
export function byAgeAndNode(a: Pod, b: Pod): number {
  const isBound = ({ spec }: Pod): number => ((spec.nodeName ?? '') === '' ? 1 : 0)
  const age = ({ metadata }: Pod): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return isBound(a) - isBound(b) || (age(a) < age(b) ? -1 : 1)
}
