import { isJsonObject, objectAt, objectsAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { KubeObject, Taint, Toleration } from '../../shared/kubernetes/objects.ts'

/** What of a node decides which DaemonSets run there. */
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

type TolerationFields = { readonly [field in keyof Toleration]?: unknown }

/** As ToleratesTaint of component-helpers: an empty key with Exists matches every taint, an empty effect every effect. */
function tolerates(toleration: TolerationFields, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  const key = toleration.key || ''
  if (key !== '' && key !== taint.key) return false
  switch (toleration.operator || 'Equal') {
    case 'Exists':
      return true
    case 'Equal':
      return key !== '' && (toleration.value || '') === (taint.value ?? '')
    default:
      return false
  }
}

function toleratesAll(spec: JsonObject, taints: readonly Taint[]): boolean {
  const tolerations: readonly TolerationFields[] = [
    ...objectsAt(spec, 'tolerations'),
    ...daemonTolerations,
    ...(spec['hostNetwork'] === true ? [hostNetworkToleration] : []),
  ]
  return taints
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)))
}

function expressionMatches(expression: JsonObject, value: string | undefined): boolean {
  const values = Array.isArray(expression['values']) ? expression['values'].map(String) : []
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0])
    default:
      return false
  }
}

function termMatches(term: JsonObject, node: NodeFacts): boolean {
  const expressions = objectsAt(term, 'matchExpressions')
  const fields = objectsAt(term, 'matchFields')
  // A term without any requirement matches no node.
  if (expressions.length + fields.length === 0) return false
  return (
    expressions.every((one) => expressionMatches(one, node.labels[textAt(one, 'key')])) &&
    fields.every(
      (one) => textAt(one, 'key') === 'metadata.name' && expressionMatches(one, node.name),
    )
  )
}

function affinityMatches(spec: JsonObject, node: NodeFacts): boolean {
  const nodeAffinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity')
  const required = nodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']
  if (!isJsonObject(required)) return true
  return objectsAt(required, 'nodeSelectorTerms').some((term) => termMatches(term, node))
}

/** True when the DaemonSet controller would put a pod on the node: name, selector, required affinity, taints. */
export function daemonSetLandsOn(daemonSet: KubeObject, node: NodeFacts): boolean {
  const template = objectAt(objectAt(daemonSet, 'spec'), 'template')
  const spec = objectAt(template, 'spec')
  const nodeName = textAt(spec, 'nodeName')
  if (nodeName !== '' && nodeName !== node.name) return false
  const selects = Object.entries(objectAt(spec, 'nodeSelector')).every(
    ([key, value]) => node.labels[key] === value,
  )
  return selects && affinityMatches(spec, node) && toleratesAll(spec, node.taints)
}
