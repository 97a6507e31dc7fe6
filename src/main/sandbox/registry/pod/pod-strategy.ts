import {
  forbiddenField,
  immutableProblems,
  invalidField,
  problemIf,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  defined,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  withFields,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../../shared/kubernetes/pod-containers.ts'
import { defaultPod } from '../../../../shared/kubernetes/pod-defaults.ts'
import { newPodSpecProblems } from '../../../../shared/kubernetes/validation/pod-validation.ts'
import { podQosClass } from '../../../../shared/kubernetes/qos.ts'
import { withPodCondition } from '../conditions.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'
import type { ResourceStrategy } from '../strategy.ts'
import { withLabelKeys } from './label-keys.ts'
import { mirrorNodeProblems, podUpdateProblems, withGeneration } from './pod-update-validation.ts'

/** Casts a stored or decoded object of kind Pod. The types of its fields were checked when it was decoded. */
export function asPod(value: KubeObject): Pod {
  return value as unknown as Pod
}

function fromPod(pod: Pod): KubeObject {
  return pod as unknown as KubeObject
}

/** The condition with the times that the API always shows, null if they are not set. */
function withTimes(condition: JsonObject): JsonObject {
  const { type, status, observedGeneration, ...rest } = condition
  return {
    type,
    ...(observedGeneration ? { observedGeneration } : {}),
    status,
    lastProbeTime: null,
    lastTransitionTime: null,
    ...rest,
  }
}

/** Keeps `podIP` and `podIPs` equal; `podIP` wins. Source: pkg/apis/core/v1/conversion.go Convert_v1_PodStatus_To_core_PodStatus. */
function withAddresses(status: JsonObject): JsonObject {
  const podIP = textAt(status, 'podIP')
  const first = textAt(objectsAt(status, 'podIPs')[0] ?? {}, 'ip')
  if (podIP === first) return status
  return podIP === '' ? { ...status, podIP: first } : { ...status, podIPs: [{ ip: podIP }] }
}

/** The state with the times that the API always shows, null if they are not set. */
function withStateTimes(state: JsonObject): JsonObject {
  const running = state['running']
  if (isJsonObject(running)) return { ...state, running: { startedAt: null, ...running } }
  const terminated = state['terminated']
  if (!isJsonObject(terminated)) return state
  return withFields(state, { terminated: { startedAt: null, finishedAt: null, ...terminated } })
}

/** A container status with the fields that the API always shows: in Go they are not pointers. */
function containerStatusWithDefaults(status: JsonObject): JsonObject {
  return {
    ready: false,
    restartCount: 0,
    image: '',
    imageID: '',
    ...status,
    state: withStateTimes(objectAt(status, 'state')),
    lastState: withStateTimes(objectAt(status, 'lastState')),
  }
}

const containerStatusLists = [
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const

function withContainerStatuses(status: JsonObject): JsonObject {
  const lists = containerStatusLists.filter((list) => Array.isArray(status[list]))
  if (lists.length === 0) return status
  const whole = lists.map((list) => [
    list,
    objectsAt(status, list).map(containerStatusWithDefaults),
  ])
  return { ...status, ...Object.fromEntries(whole) }
}

function withDefaults(value: KubeObject): KubeObject {
  const pod = fromPod(defaultPod(asPod(value)))
  const given = objectAt(pod, 'status')
  const status = withContainerStatuses(withAddresses(given))
  if (!Array.isArray(status['conditions'])) return status === given ? pod : { ...pod, status }
  return {
    ...pod,
    status: { ...status, conditions: objectsAt(status, 'conditions').map(withTimes) },
  }
}

/** Drops the restart policies of containers, except that of sidecars, and their rules: their feature gate is off (dropContainerRestartRules). */
export function withoutRestartPolicies(spec: JsonObject): JsonObject {
  const stripped = (list: string, isKept: (container: JsonObject) => boolean): JsonObject => {
    if (!Array.isArray(spec[list])) return {}
    const containers = objectsAt(spec, list).map((container) => {
      const { restartPolicy, restartPolicyRules: _rules, ...rest } = container
      return isKept(container) ? { ...rest, restartPolicy } : rest
    })
    return { [list]: containers }
  }
  return {
    ...spec,
    ...stripped('containers', () => false),
    ...stripped('initContainers', isSidecar),
    ...stripped('ephemeralContainers', () => false),
  }
}

/** Source: pkg/registry/core/pod/strategy.go applySchedulingGatedCondition. */
const gatedCondition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
} as const

function prepareForCreate(value: KubeObject): KubeObject {
  const spec = withoutRestartPolicies(objectAt(value, 'spec'))
  const pod = {
    ...value,
    spec: withLabelKeys(spec, value.metadata.labels ?? {}),
    metadata: { ...value.metadata, generation: 1 },
    status: { phase: 'Pending', qosClass: podQosClass(asPod(value)) },
  }
  if (objectsAt(pod.spec, 'schedulingGates').length === 0) return pod
  const createdAt = Date.parse(value.metadata.creationTimestamp ?? '')
  return withPodCondition(pod, gatedCondition, createdAt)
}

function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  return withGeneration(withFieldOf(next, 'status', old), old)
}

/** Conditions without `observedGeneration` keep that of the old condition of their type. */
function keptGenerations(
  conditions: readonly JsonObject[],
  old: readonly JsonObject[],
): readonly JsonObject[] {
  return conditions.map((condition) => {
    if (numberAt(condition, 'observedGeneration')) return condition
    const before = old.find((candidate) => candidate['type'] === condition['type'])
    const observedGeneration = numberAt(before ?? {}, 'observedGeneration')
    return observedGeneration ? { ...condition, observedGeneration } : condition
  })
}

function prepareForStatusUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const { ownerReferences: _, ...metadata } = next.metadata
  const { ownerReferences } = old.metadata
  const status = objectAt(next, 'status')
  const oldStatus = objectAt(old, 'status')
  const observedGeneration =
    numberAt(status, 'observedGeneration') || numberAt(oldStatus, 'observedGeneration')
  const oldConditions = objectsAt(oldStatus, 'conditions')
  const conditions = Array.isArray(status['conditions'])
    ? keptGenerations(objectsAt(status, 'conditions'), oldConditions)
    : undefined
  const qosClass = status['qosClass'] ?? oldStatus['qosClass']
  return {
    ...withFieldOf(next, 'spec', old),
    metadata: withFields(metadata, ownerReferences === undefined ? {} : { ownerReferences }),
    status: withFields(
      status,
      defined({ observedGeneration: observedGeneration || undefined, conditions, qosClass }),
    ),
  }
}

function terminatedIn(status: JsonObject): JsonObject | undefined {
  const terminated = objectAt(status, 'state')['terminated']
  return isJsonObject(terminated) ? terminated : undefined
}

/** A container that terminated cannot run again unless `mayRestart`. */
function transitionProblems(
  next: KubeObject,
  old: KubeObject,
  list: (typeof containerStatusLists)[number],
  mayRestart: (name: string, terminated: JsonObject) => boolean,
): FieldProblems {
  const nextStatuses = objectsAt(objectAt(next, 'status'), list)
  return objectsAt(objectAt(old, 'status'), list).flatMap((before, index) => {
    const terminated = terminatedIn(before)
    if (terminated === undefined || mayRestart(textAt(before, 'name'), terminated)) return []
    const after = nextStatuses.find((candidate) => candidate['name'] === before['name'])
    if (after === undefined || terminatedIn(after) !== undefined) return []
    return [
      forbiddenField(
        `status.${list}[${index}].state`,
        'may not be transitioned to non-terminated state',
      ),
    ]
  })
}

/** Source: ValidateContainerStateTransition. */
function restartProblems(
  next: KubeObject,
  old: KubeObject,
  list: 'containerStatuses' | 'initContainerStatuses',
): FieldProblems {
  const spec = asPod(old).spec
  const policy = spec.restartPolicy ?? 'Always'
  if (policy === 'Always') return []
  const sidecars = new Set(
    (spec.initContainers ?? []).filter(isSidecar).map((container) => container.name),
  )
  return transitionProblems(
    next,
    old,
    list,
    (name, terminated) =>
      (policy === 'OnFailure' && numberAt(terminated, 'exitCode') !== 0) || sidecars.has(name),
  )
}

/** An ephemeral container that terminated does not run again. Source: ValidateEphemeralContainerStateTransition. */
function ephemeralProblems(next: KubeObject, old: KubeObject): FieldProblems {
  return transitionProblems(next, old, 'ephemeralContainerStatuses', () => false)
}

function statusProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const qosClass = objectAt(next, 'status')['qosClass']
  const observed = numberAt(objectAt(next, 'status'), 'observedGeneration') ?? 0
  const why = 'must be a non-negative integer'
  return [
    ...problemIf(observed < 0, invalidField('status.observedGeneration', observed, why)),
    ...immutableProblems('status.qosClass', qosClass, objectAt(old, 'status')['qosClass']),
    ...restartProblems(next, old, 'containerStatuses'),
    ...restartProblems(next, old, 'initContainerStatuses'),
    ...ephemeralProblems(next, old),
  ]
}

// registry/core/pod CheckGracefulDelete; api-server#pod-deletion.
function deletionGraceSeconds(value: KubeObject, requested: number | undefined): number {
  const { spec, status } = asPod(value)
  const isUnscheduled = (spec.nodeName ?? '') === ''
  const isTerminal = status?.phase === 'Failed' || status?.phase === 'Succeeded'
  if (isUnscheduled || isTerminal) return 0
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0
  return seconds < 0 ? 1 : seconds
}

/** Pods. Source: pkg/registry/core/pod/strategy.go (v1.34). */
export const podStrategy: ResourceStrategy = plainStrategy({
  withDefaults,
  prepareForCreate,
  createProblems: (value) => [
    ...mirrorNodeProblems(value),
    ...newPodSpecProblems(objectAt(value, 'spec')),
  ],
  prepareForUpdate,
  updateProblems: podUpdateProblems,
  prepareForStatusUpdate,
  statusProblems,
  deletionGraceSeconds,
  returnsDeletedObject: true,
})
