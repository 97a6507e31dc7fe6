import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { podQosClass } from '../../../../shared/kubernetes/qos.ts'
import { asPod } from '../../registry/pod/pod-strategy.ts'

function matchesPriority(pod: KubeObject, requirement: JsonObject): boolean {
  const name = textAt(objectAt(pod, 'spec'), 'priorityClassName')
  const values = listAt(requirement, 'values')
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return values.includes(name)
    case 'NotIn':
      return !values.includes(name)
    case 'DoesNotExist':
      return name === ''
    default:
      return name !== ''
  }
}

function usesOtherNamespaces(pod: KubeObject): boolean {
  const affinity = objectAt(objectAt(pod, 'spec'), 'affinity')
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const rules = objectAt(affinity, name)
    const preferred = objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution')
    return [
      ...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((one) => objectAt(one, 'podAffinityTerm')),
    ]
  })
  return terms.some(
    (term) => listAt(term, 'namespaces').length > 0 || term['namespaceSelector'] !== undefined,
  )
}

function matchesScope(pod: KubeObject, requirement: JsonObject): boolean {
  const deadline = numberAt(objectAt(pod, 'spec'), 'activeDeadlineSeconds')
  const isTerminating = deadline !== undefined && deadline >= 0
  const isBestEffort = (): boolean => podQosClass(asPod(pod)) === 'BestEffort'
  switch (textAt(requirement, 'scopeName')) {
    case 'Terminating':
      return isTerminating
    case 'NotTerminating':
      return !isTerminating
    case 'BestEffort':
      return isBestEffort()
    case 'NotBestEffort':
      return !isBestEffort()
    case 'PriorityClass':
      return matchesPriority(pod, requirement)
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod)
    default:
      return false
  }
}

/** Whether a quota counts an object: only pods match scopes. Source: pkg/quota/v1/evaluator/core podMatchesScopeFunc (v1.34). */
export function isInScopes(quota: KubeObject, object: KubeObject): boolean {
  const spec = objectAt(quota, 'spec')
  const requirements = [
    ...listAt(spec, 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...objectsAt(objectAt(spec, 'scopeSelector'), 'matchExpressions'),
  ]
  if (requirements.length === 0) return true
  return object.kind === 'Pod' && requirements.every((one) => matchesScope(object, one))
}
