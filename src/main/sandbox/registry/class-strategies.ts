import {
  duplicateField,
  enumProblems,
  forbiddenField,
  immutableProblems,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import {
  equalJson,
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import {
  dnsLabelProblems,
  qualifiedNameProblems,
} from '../../../shared/kubernetes/validation/name-rules.ts'
import {
  highestUserDefinablePriority,
  systemCriticalPriority,
  systemNodeCriticalPriority,
} from '../../../shared/kubernetes/critical-pod.ts'
import { labelProblems } from '../../../shared/kubernetes/validation/object-meta-validation.ts'
import { tolerationProblems } from '../../../shared/kubernetes/validation/pod-validation.ts'
import { resourceProblems } from '../../../shared/kubernetes/validation/resource-validation.ts'
import { canonicalQuantities } from './quantities.ts'
import { plainStrategy } from './strategy.ts'

const systemPrefix = 'system-'

/** The classes that every server creates. Source: pkg/apis/scheduling/v1 SystemPriorityClasses. */
export const systemPriorityClasses: readonly KubeObject[] = [
  {
    metadata: { name: 'system-node-critical', uid: '' },
    value: systemNodeCriticalPriority,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    metadata: { name: 'system-cluster-critical', uid: '' },
    value: systemCriticalPriority,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
]

export function isSystemPriorityClass(name: string): boolean {
  return systemPriorityClasses.some(({ metadata }) => metadata.name === name)
}

function systemClassProblem(priorityClass: KubeObject): string | undefined {
  const { name } = priorityClass.metadata
  const known = systemPriorityClasses.find(({ metadata }) => metadata.name === name)
  if (known === undefined) return `${name} is not a known system priority class`
  if (known['value'] !== priorityClass['value']) {
    return `value of ${name} PriorityClass must be ${String(known['value'])}`
  }
  if (priorityClass['globalDefault'] !== true) return undefined
  return `globalDefault of ${name} PriorityClass must be false`
}

function priorityClassProblems(priorityClass: KubeObject): FieldProblems {
  const isSystem = priorityClass.metadata.name.startsWith(systemPrefix)
  const problem = isSystem ? systemClassProblem(priorityClass) : undefined
  const reserved = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`
  const isHigh = (numberAt(priorityClass, 'value') ?? 0) > highestUserDefinablePriority
  const policy = textAt(priorityClass, 'preemptionPolicy')
  const highest = `maximum allowed value of a user defined priority is ${highestUserDefinablePriority}`
  return [
    ...problemUnless(problem === undefined, forbiddenField('metadata.name', reserved)),
    ...problemIf(!isSystem && isHigh, forbiddenField('value', highest)),
    ...enumProblems('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never']),
  ]
}

function priorityClassWithDefaults({ globalDefault, ...rest }: KubeObject): KubeObject {
  return {
    ...rest,
    metadata: rest.metadata,
    value: rest['value'] ?? 0,
    preemptionPolicy: rest['preemptionPolicy'] ?? 'PreemptLowerPriority',
    ...(globalDefault === true ? { globalDefault } : {}),
  }
}

/** Priority classes. Source: pkg/registry/scheduling/priorityclass/strategy.go (v1.34). */
export const priorityClassStrategy = plainStrategy({
  withDefaults: priorityClassWithDefaults,
  prepareForCreate: (one) => ({ ...one, metadata: { ...one.metadata, generation: 1 } }),
  createProblems: priorityClassProblems,
  updateProblems: (next, old) => [
    ...problemUnless(
      next['value'] === old['value'],
      forbiddenField('value', 'may not be changed in an update.'),
    ),
    ...immutableProblems('preemptionPolicy', next['preemptionPolicy'], old['preemptionPolicy']),
  ],
})

function schedulingProblems(scheduling: JsonObject): FieldProblems {
  const tolerations = objectsAt(scheduling, 'tolerations')
  const keys = tolerations.map((one) =>
    JSON.stringify(['key', 'operator', 'value', 'effect'].map((field) => textAt(one, field))),
  )
  return [
    ...labelProblems(objectAt(scheduling, 'nodeSelector'), 'scheduling.nodeSelector'),
    // Upstream repeats the field's name.
    ...tolerationProblems(tolerations, 'scheduling.tolerations.tolerations'),
    ...tolerations.flatMap((one, index) =>
      problemIf(
        keys.indexOf(keys[index] ?? '') < index,
        duplicateField(`scheduling.tolerations[${index}]`, internalToleration(one)),
      ),
    ),
  ]
}

/** The internal type as Go prints it. */
function internalToleration(toleration: JsonObject): JsonObject {
  return {
    Key: textAt(toleration, 'key'),
    Operator: textAt(toleration, 'operator'),
    Value: textAt(toleration, 'value'),
    Effect: textAt(toleration, 'effect'),
    TolerationSeconds: toleration['tolerationSeconds'] ?? null,
  }
}

function runtimeClassProblems(runtimeClass: KubeObject): FieldProblems {
  const handler = textAt(runtimeClass, 'handler')
  const limits = objectAt(objectAt(runtimeClass, 'overhead'), 'podFixed')
  return [
    ...invalidEach('handler', handler, dnsLabelProblems(handler)),
    ...resourceProblems({ limits }, 'overhead'),
    ...schedulingProblems(objectAt(runtimeClass, 'scheduling')),
  ]
}

function runtimeClassWithDefaults(runtimeClass: KubeObject): KubeObject {
  const { podFixed } = objectAt(runtimeClass, 'overhead')
  if (!isJsonObject(podFixed)) return runtimeClass
  return { ...runtimeClass, overhead: { podFixed: canonicalQuantities(podFixed) } }
}

/** Runtime classes. Source: pkg/registry/node/runtimeclass/strategy.go (v1.34). */
export const runtimeClassStrategy = plainStrategy({
  withDefaults: runtimeClassWithDefaults,
  createProblems: runtimeClassProblems,
  updateProblems: (next, old) => [
    ...runtimeClassProblems(next),
    ...immutableProblems('handler', next['handler'], old['handler']),
  ],
  updatesUnconditionally: false,
})

function provisionerProblems(provisioner: string): FieldProblems {
  if (provisioner === '') return [requiredField('provisioner')]
  const name = provisioner.toLowerCase()
  return invalidEach('provisioner', name, qualifiedNameProblems(name))
}

function topologyProblems(storageClass: KubeObject): FieldProblems {
  return objectsAt(storageClass, 'allowedTopologies').flatMap((term, index) =>
    objectsAt(term, 'matchLabelExpressions').flatMap((expression, at) => {
      const field = `allowedTopologies[${index}].matchLabelExpressions[${at}]`
      const key = textAt(expression, 'key')
      return [
        ...problemIf(listAt(expression, 'values').length === 0, requiredField(`${field}.values`)),
        ...invalidEach(`${field}.key`, key, qualifiedNameProblems(key)),
      ]
    }),
  )
}

function storageClassProblems(storageClass: KubeObject): FieldProblems {
  const mode = textAt(storageClass, 'volumeBindingMode')
  const hasEmptyKey = Object.hasOwn(objectAt(storageClass, 'parameters'), '')
  return [
    ...provisionerProblems(textAt(storageClass, 'provisioner')),
    ...problemIf(hasEmptyKey, invalidField('parameters', '', 'field can not be empty.')),
    ...enumProblems('reclaimPolicy', textAt(storageClass, 'reclaimPolicy'), ['Delete', 'Retain']),
    ...enumProblems('volumeBindingMode', mode, ['Immediate', 'WaitForFirstConsumer']),
    ...topologyProblems(storageClass),
  ]
}

function storageClassUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const fixed = ['parameters', 'provisioner', 'reclaimPolicy']
  return [
    ...storageClassProblems(next),
    ...fixed
      .filter((field) => !equalJson(next[field], old[field]))
      .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
    ...immutableProblems('volumeBindingMode', next['volumeBindingMode'], old['volumeBindingMode']),
  ]
}

/** Storage classes. Source: pkg/registry/storage/storageclass/strategy.go (v1.34). */
export const storageClassStrategy = plainStrategy({
  withDefaults: (one) => ({
    ...one,
    reclaimPolicy: textAt(one, 'reclaimPolicy') || 'Delete',
    volumeBindingMode: textAt(one, 'volumeBindingMode') || 'Immediate',
  }),
  createProblems: storageClassProblems,
  updateProblems: storageClassUpdateProblems,
  returnsDeletedObject: true,
})
