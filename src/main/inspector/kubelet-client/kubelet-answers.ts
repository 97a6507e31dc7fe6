import {
  equalJson,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { RunningPod } from '../../../shared/model/inspect/evidence.ts'
import type {
  ConfigDifference,
  KubeletFacts,
  NodeUse,
} from '../../../shared/model/inspect/kubelet-facts.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { defaultKubeletConfiguration } from '../../kubelet/server/default-configuration.ts'

function jsonOf(body: string): Result<JsonObject, string> {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? ok(value) : err('is not a JSON object')
  } catch {
    return err('is not JSON')
  }
}

function isPod(item: JsonObject): boolean {
  const metadata = objectAt(item, 'metadata')
  return textAt(metadata, 'name') !== '' && textAt(metadata, 'uid') !== ''
}

/** The items of a PodList. Error: half a sentence. */
export function podsIn(body: string): Result<readonly Pod[], string> {
  const list = jsonOf(body)
  if (!list.ok) return list
  if (textAt(list.value, 'kind') !== 'PodList') return err('is not a PodList')
  // Names and UIDs were checked; a kubelet's pods have a spec.
  return ok(objectsAt(list.value, 'items').filter(isPod) as readonly object[] as readonly Pod[])
}

/** /runningpods: what runs of each pod. Error: half a sentence. */
export function runningPodsIn(body: string): Result<readonly RunningPod[], string> {
  const pods = podsIn(body)
  if (!pods.ok) return pods
  return ok(
    pods.value.map(({ metadata, spec }) => ({
      uid: metadata.uid,
      name: metadata.name,
      namespace: metadata.namespace ?? 'default',
      containers: (spec.containers ?? []).map(({ name }) => name),
    })),
  )
}

/** Fields one level deep in objects: `evictionHard.memory.available`. */
function flattened(object: JsonObject, prefix = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(object).flatMap(([field, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? flattened(value, `${prefix}${field}.`)
      : [[`${prefix}${field}`, value] as const],
  )
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Differ on each node, and say nothing about it. */
const own = /^(kind$|apiVersion$|logging\.|tlsCertFile$|tlsPrivateKeyFile$)/

/** /configz against the defaults of Kubernetes 1.34. Error: half a sentence. */
export function configurationIn(
  body: string,
): Result<NonNullable<KubeletFacts['configuration']>['value'], string> {
  const answer = jsonOf(body)
  if (!answer.ok) return answer
  const given = answer.value['kubeletconfig']
  if (!isJsonObject(given)) return err('has no kubeletconfig')
  const initial = new Map(flattened(defaultKubeletConfiguration))
  const differences = flattened(given)
    .filter(([field, value]) => !own.test(field) && !equalJson(value, initial.get(field)))
    .filter(([field, value]) => initial.has(field) || !isEmpty(value))
    .map(([field, value]): ConfigDifference => ({
      field,
      value: written(value),
      initial: initial.has(field) ? written(initial.get(field)) : null,
    }))
  const absent = Object.keys(defaultKubeletConfiguration).filter(
    (field) => !Object.hasOwn(given, field),
  )
  // A list that was emptied is left out like a field that an older kubelet does not have.
  const isList = (field: string): boolean => Array.isArray(defaultKubeletConfiguration[field])
  const emptied = absent.filter(isList).map((field): ConfigDifference => ({
    field,
    value: '[]',
    initial: written(defaultKubeletConfiguration[field]),
  }))
  const missingFields = absent.filter((field) => !isList(field))
  return ok({
    staticPodPath: textAt(given, 'staticPodPath'),
    differences: [...differences, ...emptied],
    missingFields,
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || equalJson(value, {}) || equalJson(value, [])
}

/** /stats/summary. Error: half a sentence. */
export function nodeUseIn(body: string): Result<NodeUse, string> {
  const summary = jsonOf(body)
  if (!summary.ok) return summary
  const node = objectAt(summary.value, 'node')
  const nanoCores = numberAt(objectAt(node, 'cpu'), 'usageNanoCores')
  return ok({
    cpuMillicores: nanoCores === undefined ? null : Math.round(nanoCores / 1e6),
    memoryBytes: numberAt(objectAt(node, 'memory'), 'workingSetBytes') ?? null,
    pods: objectsAt(summary.value, 'pods').length,
  })
}
