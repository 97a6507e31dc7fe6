import { equalJson, objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { ObjectWriter } from '../../endpoints/object-writer.ts'
import type { ObjectStore } from '../../object-store.ts'
import { ownWrite } from '../../registry/first-objects.ts'
import type { FirstObject } from '../../registry/first-objects.ts'
import { typeOfKind } from '../../registry/resource-types.ts'
import { missingRules, policyRule, shownRule } from './policy-rule.ts'

const autoUpdate = 'rbac.authorization.kubernetes.io/autoupdate'

function without(
  expected: readonly JsonObject[],
  existing: readonly JsonObject[],
): readonly JsonObject[] {
  return expected.filter((one) => !existing.some((own) => equalJson(own, one)))
}

/** The list with what is missing; the same if nothing is. */
function added(object: KubeObject, field: string, missing: readonly JsonObject[]): JsonObject {
  return missing.length === 0 ? {} : { [field]: [...objectsAt({ ...object }, field), ...missing] }
}

function missingOfRole(existing: KubeObject, expected: KubeObject): JsonObject {
  const [own, wanted] = [existing, expected].map((role) =>
    objectsAt({ ...role }, 'rules').map(policyRule),
  )
  return added(existing, 'rules', missingRules(own ?? [], wanted ?? []).map(shownRule))
}

/** Source: aggregationRuleCovers. */
function aggregationOf(existing: KubeObject, expected: KubeObject): JsonObject {
  const [own, wanted] = [existing, expected].map((role) =>
    objectsAt(objectAt({ ...role }, 'aggregationRule'), 'clusterRoleSelectors'),
  )
  const clusterRoleSelectors = [...(own ?? []), ...without(wanted ?? [], own ?? [])]
  return expected['aggregationRule'] === undefined
    ? {}
    : { aggregationRule: { clusterRoleSelectors } }
}

function missingSubjects(existing: KubeObject, expected: KubeObject): JsonObject {
  const [own, wanted] = [existing, expected].map((binding) => objectsAt({ ...binding }, 'subjects'))
  return added(existing, 'subjects', without(wanted ?? [], own ?? []))
}

/**
 * A role or binding with what it lacks of the one that every server has. Source: component-helpers auth/rbac/reconciliation
 * computeReconciledRole, computeReconciledRoleBinding (v1.34), without the removal of extra rights.
 */
function reconciled(existing: KubeObject, expected: KubeObject): KubeObject {
  const { labels, annotations } = expected.metadata
  const metadata = {
    ...existing.metadata,
    labels: { ...labels, ...existing.metadata.labels },
    annotations: { ...annotations, ...existing.metadata.annotations },
  }
  if (expected['roleRef'] !== undefined)
    return { ...existing, metadata, ...missingSubjects(existing, expected) }
  const { aggregationRule: _, ...role } = existing
  const aggregation = aggregationOf(existing, expected)
  return { ...role, metadata, ...missingOfRole(existing, expected), ...aggregation }
}

/**
 * Gives the stored roles and bindings of a policy the rules, subjects and labels that they lack, except those whose annotation
 * `autoupdate` is "false". Source: pkg/registry/rbac/rest ensureRBACPolicy.
 */
export function reconcilePolicy(
  writer: ObjectWriter,
  store: Pick<ObjectStore, 'of'>,
  policy: readonly FirstObject[],
): void {
  for (const [kind, expected] of policy) {
    const type = typeOfKind(kind)
    const { namespace = '', name } = expected.metadata
    const existing = store.of(type).get({ namespace, name })
    if (existing === undefined || existing.metadata.annotations?.[autoUpdate] === 'false') continue
    if (!equalJson(existing['roleRef'], expected['roleRef'])) {
      // Of a binding the role cannot be changed: it is created again.
      writer.remove(type, existing, ownWrite)
      continue
    }
    const { prepareForUpdate: prepare, updateProblems: problems } = type.strategy
    const rules = { prepare, problems }
    const updated = writer.update(type, reconciled(existing, expected), existing, rules, ownWrite)
    if (!updated.ok) throw new Error(updated.error.message)
  }
}
