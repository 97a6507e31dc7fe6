import { listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import {
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { qualifiedNameProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { canonicalQuantities } from '../quantities.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'

/** Resources that count objects. */
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const ofPods = [
  'cpu',
  'memory',
  'ephemeral-storage',
  ...['requests', 'limits'].flatMap((of) =>
    ['cpu', 'memory', 'ephemeral-storage'].map((name) => `${of}.${name}`),
  ),
]
const standard = new Set([...counted, ...ofPods, 'requests.storage'])
const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]
const conflicting = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

function nameProblems(name: string, field: string): FieldProblems {
  const malformed = invalidEach(field, name, qualifiedNameProblems(name))
  const isKnown = standard.has(name) || /^(requests\.)?hugepages-/.test(name)
  if (malformed.length > 0 || name.includes('/') || isKnown) return malformed
  return [
    invalidField(field, name, 'must be a standard resource type or fully qualified'),
    invalidField(field, name, 'must be a standard resource for quota'),
  ]
}

function amountProblems(name: string, value: unknown, field: string): FieldProblems {
  const quantity = parseQuantity(value)
  if (quantity === undefined) return []
  const isPart = counted.includes(name) && quantity.nanos % 1_000_000_000n !== 0n
  return [
    ...problemIf(
      quantity.nanos < 0n,
      invalidField(field, value, 'must be greater than or equal to 0'),
    ),
    ...problemIf(isPart, invalidField(field, value, 'must be an integer')),
  ]
}

function listProblems(owner: JsonObject, list: string, field: string): FieldProblems {
  return Object.entries(objectAt(owner, list)).flatMap(([name, value]) => {
    const at = `${field}.${list}[${name}]`
    return [...nameProblems(name, at), ...amountProblems(name, value, at)]
  })
}

function isValidForScope(scope: string, resource: string): boolean {
  if (scope === 'BestEffort') return resource === 'pods'
  if (scope === 'VolumeAttributesClass')
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage'
  return resource === 'pods' || ofPods.includes(resource)
}

function scopeProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.scopes'
  const given = listAt(spec, 'scopes').map(String)
  const hard = Object.keys(objectAt(spec, 'hard'))
  const isIn = (scope: string): boolean => given.includes(scope)
  return [
    ...given.flatMap((scope) => [
      ...problemIf(!scopes.includes(scope), invalidField(field, given, 'unsupported scope')),
      ...hard
        .filter((name) => standard.has(name) && !isValidForScope(scope, name))
        .map(() => invalidField(field, given, 'unsupported scope applied to resource')),
    ]),
    ...conflicting
      .filter(([one, other]) => isIn(one) && isIn(other))
      .map(() => invalidField(field, given, 'conflicting scopes')),
  ]
}

function selectorProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.scopeSelector.matchExpressions'
  return objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions').flatMap((one) => {
    const operator = textAt(one, 'operator')
    const values = listAt(one, 'values')
    const isSet = operator === 'In' || operator === 'NotIn'
    const isPresence = operator === 'Exists' || operator === 'DoesNotExist'
    const needed =
      "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    const unwanted =
      "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector"
    return [
      ...problemIf(isSet && values.length === 0, requiredField(`${field}.values`, needed)),
      ...problemIf(
        isPresence && values.length > 0,
        invalidField(`${field}.values`, values, unwanted),
      ),
      ...problemIf(
        !isSet && !isPresence,
        invalidField(`${field}.operator`, operator, 'not a valid selector operator'),
      ),
    ]
  })
}

function quotaProblems(quota: KubeObject): FieldProblems {
  const spec = objectAt(quota, 'spec')
  return [...listProblems(spec, 'hard', 'spec'), ...scopeProblems(spec), ...selectorProblems(spec)]
}

function withLists(owner: JsonObject, ...lists: readonly string[]): JsonObject {
  const given = lists.filter((list) => Object.keys(objectAt(owner, list)).length > 0)
  return {
    ...owner,
    ...Object.fromEntries(given.map((list) => [list, canonicalQuantities(objectAt(owner, list))])),
  }
}

/** Resource quotas. Source: pkg/registry/core/resourcequota/strategy.go, pkg/apis/core/validation (v1.34). */
export const quotaStrategy = plainStrategy({
  withDefaults: (quota) => ({
    ...quota,
    spec: withLists(objectAt(quota, 'spec'), 'hard'),
    status: withLists(objectAt(quota, 'status'), 'hard', 'used'),
  }),
  prepareForCreate: (quota) => ({ ...quota, status: {} }),
  createProblems: quotaProblems,
  prepareForUpdate: (next, old) => withFieldOf(next, 'status', old),
  updateProblems: (next, old) => {
    const before = listAt(objectAt(old, 'spec'), 'scopes').map(String)
    const after = listAt(objectAt(next, 'spec'), 'scopes').map(String)
    const isSame = before.toSorted().join() === after.toSorted().join()
    const shown = after.length === 0 ? null : after
    const changed = problemIf(!isSame, invalidField('spec.scopes', shown, 'field is immutable'))
    return [...quotaProblems(next), ...changed]
  },
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems: (next) => {
    const status = objectAt(next, 'status')
    return [...listProblems(status, 'hard', 'status'), ...listProblems(status, 'used', 'status')]
  },
})
