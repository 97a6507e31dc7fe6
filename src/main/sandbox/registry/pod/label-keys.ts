import { isJsonObject, listAt, objectAt, objectsAt, ownField } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'

type Labels = Readonly<Record<string, string>>

function requirements(keys: readonly unknown[], operator: string, labels: Labels) {
  return keys.flatMap((key) => {
    const value = typeof key === 'string' ? ownField(labels, key) : undefined
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })
}

/** Adds what the label keys stand for to the selector of a term or constraint. */
function withSelector(term: JsonObject, labels: Labels): JsonObject {
  const { labelSelector } = term
  if (!isJsonObject(labelSelector)) return term
  const added = [
    ...requirements(listAt(term, 'matchLabelKeys'), 'In', labels),
    ...requirements(listAt(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ]
  if (added.length === 0) return term
  const matchExpressions = [...listAt(labelSelector, 'matchExpressions'), ...added]
  return { ...term, labelSelector: { ...labelSelector, matchExpressions } }
}

function mapped(
  object: JsonObject,
  field: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  return Array.isArray(object[field]) ? { [field]: objectsAt(object, field).map(change) } : {}
}

function withAffinityKeys(affinity: JsonObject, kind: string, labels: Labels): JsonObject {
  if (!isJsonObject(affinity[kind])) return {}
  const terms = affinity[kind]
  const preferred = (one: JsonObject): JsonObject => ({
    ...one,
    podAffinityTerm: withSelector(objectAt(one, 'podAffinityTerm'), labels),
  })
  return {
    [kind]: {
      ...terms,
      ...mapped(terms, 'requiredDuringSchedulingIgnoredDuringExecution', (one) =>
        withSelector(one, labels),
      ),
      ...mapped(terms, 'preferredDuringSchedulingIgnoredDuringExecution', preferred),
    },
  }
}

/**
 * Turns `matchLabelKeys` and `mismatchLabelKeys` of a new pod into requirements of its selectors: later changes of its labels do
 * not count. Source: pkg/registry/core/pod/strategy.go mutatePodAffinity, mutateTopologySpreadConstraints (v1.34).
 */
export function withLabelKeys(spec: JsonObject, labels: Labels): JsonObject {
  const { affinity } = spec
  return {
    ...spec,
    ...mapped(spec, 'topologySpreadConstraints', (one) => withSelector(one, labels)),
    ...(isJsonObject(affinity)
      ? {
          affinity: {
            ...affinity,
            ...withAffinityKeys(affinity, 'podAffinity', labels),
            ...withAffinityKeys(affinity, 'podAntiAffinity', labels),
          },
        }
      : {}),
  }
}
