import {
  equalJson,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  ownField,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { canonicalQuantities } from '../registry/quantities.ts'
import { withSpec } from '../registry/strategy.ts'

const withoutClass =
  'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'

/** True if `wide` tolerates everything that `narrow` tolerates. Source: pkg/util/tolerations isSuperset. */
function isSuperset(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true
  const key = textAt(wide, 'key')
  const isAny = key === '' && wide['operator'] === 'Exists'
  if (key !== textAt(narrow, 'key') && !isAny) return false
  const effect = textAt(wide, 'effect')
  if (effect !== '' && effect !== textAt(narrow, 'effect')) return false
  const seconds = numberAt(wide, 'tolerationSeconds')
  if (effect === 'NoExecute' && seconds !== undefined) {
    if ((numberAt(narrow, 'tolerationSeconds') ?? Infinity) > seconds) return false
  }
  if (wide['operator'] === 'Exists') return true
  return narrow['operator'] !== 'Exists' && textAt(wide, 'value') === textAt(narrow, 'value')
}

/** Both lists without the tolerations that another one covers. Source: pkg/util/tolerations MergeTolerations. */
function mergedTolerations(
  first: readonly JsonObject[],
  second: readonly JsonObject[],
): readonly JsonObject[] {
  const all = [...first, ...second]
  const merged: JsonObject[] = []
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1)
    const isCovered =
      merged.some((other) => isSuperset(other, toleration)) ||
      later.some((other) => !equalJson(other, toleration) && isSuperset(other, toleration))
    if (!isCovered) merged.push(toleration)
  }
  return merged
}

function withScheduling(pod: KubeObject, scheduling: JsonObject): Result<KubeObject, string> {
  const spec = objectAt(pod, 'spec')
  const given = objectAt(spec, 'nodeSelector')
  const wanted = objectAt(scheduling, 'nodeSelector')
  for (const key of Object.keys(wanted)) {
    const value = textAt(wanted, key)
    const own = ownField(given, key)
    if (own === undefined || own === value) continue
    return err(
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${textAt(given, key)}`,
    )
  }
  const nodeSelector = { ...given, ...wanted }
  const tolerations = mergedTolerations(
    objectsAt(spec, 'tolerations'),
    objectsAt(scheduling, 'tolerations'),
  )
  return ok(
    withSpec(pod, {
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
      ...(tolerations.length === 0 ? {} : { tolerations }),
    }),
  )
}

/**
 * A new pod with the overhead, node selector and tolerations of its runtime class.
 * Source: plugin/pkg/admission/runtimeclass (v1.34).
 */
export function withRuntimeClass(
  pod: KubeObject,
  classNamed: (name: string) => KubeObject | undefined,
): Result<KubeObject, string> {
  const spec = objectAt(pod, 'spec')
  const given = spec['overhead']
  const name = textAt(spec, 'runtimeClassName')
  const runtimeClass = name === '' ? undefined : classNamed(name)
  if (name !== '' && runtimeClass === undefined) {
    return err(`pod rejected: RuntimeClass "${name}" not found`)
  }
  const overhead =
    runtimeClass === undefined ? undefined : objectAt(runtimeClass, 'overhead')['podFixed']
  if (!isJsonObject(overhead)) {
    if (given !== undefined) return err(withoutClass)
    return runtimeClass === undefined
      ? ok(pod)
      : withScheduling(pod, objectAt(runtimeClass, 'scheduling'))
  }
  if (isJsonObject(given) && !equalJson(canonicalQuantities(given), overhead)) {
    return err("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
  }
  return withScheduling(
    withSpec(pod, { overhead }),
    objectAt({ ...pod, ...runtimeClass }, 'scheduling'),
  )
}
