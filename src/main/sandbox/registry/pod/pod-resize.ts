/** The subresource `resize` of pods. Source: pkg/registry/core/pod/strategy.go podResizeStrategy, validation.go ValidatePodResize (v1.34). */
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../../shared/kubernetes/pod-containers.ts'
import { podQosClass, recordedQosClass } from '../../../../shared/kubernetes/qos.ts'
import {
  forbiddenField,
  invalidField,
  problemIf,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { podSpecProblems } from '../../../../shared/kubernetes/validation/pod-validation.ts'
import { configMirrorAnnotation } from '../../../kubelet/pod/identity.ts'
import type { UpdateRules } from '../../endpoints/object-writer.ts'
import { withFieldOf, withMetadataOf } from '../strategy.ts'
import { sameSpec, withGeneration } from './pod-update-validation.ts'

const lists = ['containers', 'initContainers'] as const

function specOf(value: KubeObject): JsonObject {
  return objectAt(value, 'spec')
}

function containersOf(value: KubeObject, list: (typeof lists)[number]): readonly JsonObject[] {
  return objectsAt(specOf(value), list)
}

/** Undefined: as sent, so that the validation refuses other names. */
function resized(next: readonly JsonObject[], old: readonly JsonObject[]): readonly JsonObject[] {
  const isReordered = next.some((container, index) => container['name'] !== old[index]?.['name'])
  if (isReordered) return next
  return old.map((container, index) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = container
    const { resources, resizePolicy } = next[index] ?? {}
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    }
  })
}

/** Only resources and resize policies of containers change; the rest of the pod stays as it is. */
function prepareForResize(next: KubeObject, old: KubeObject): KubeObject {
  const isOther = lists.some(
    (list) => containersOf(next, list).length !== containersOf(old, list).length,
  )
  if (isOther) return withGeneration(next, old)
  const changed = Object.fromEntries(
    lists.flatMap((list) => {
      const containers = resized(containersOf(next, list), containersOf(old, list))
      return containers.length === 0 ? [] : [[list, containers]]
    }),
  )
  const kept: KubeObject = {
    ...withMetadataOf(withFieldOf(next, 'status', old), old),
    spec: { ...specOf(old), ...changed },
  }
  return withGeneration(kept, old)
}

/** Containers are neither added, removed, renamed nor put in another order. */
function orderProblems(next: KubeObject, old: KubeObject): FieldProblems {
  return lists.flatMap((list) => {
    const before = containersOf(old, list)
    const after = containersOf(next, list)
    const path = `spec.${list}`
    if (after.length !== before.length)
      return [forbiddenField(path, `${list} may not be added or removed on resize`)]
    const detail = `${list} may not be renamed or reordered on resize`
    return before.flatMap(({ name }, index) =>
      problemIf(after[index]?.['name'] !== name, forbiddenField(`${path}[${index}].name`, detail)),
    )
  })
}

function areRemoved(next: JsonObject, old: JsonObject): boolean {
  return Object.keys(old).some((name) => !Object.hasOwn(next, name))
}

function removalProblems(next: KubeObject, old: KubeObject): FieldProblems {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    containersOf(old, list).flatMap((container, index) => {
      if (list === 'initContainers' && !isSidecar(container)) return []
      const after = objectAt(containersOf(next, list)[index] ?? {}, 'resources')
      const before = objectAt(container, 'resources')
      return (['requests', 'limits'] as const).flatMap((field) =>
        problemIf(
          areRemoved(objectAt(after, field), objectAt(before, field)),
          forbiddenField(
            `spec.${list}[${index}].resources.${field}`,
            `resource ${field} cannot be removed`,
          ),
        ),
      )
    }),
  )
}

/** The container with the old CPU and memory, and without claims. */
function withOldAmounts(container: JsonObject, old: JsonObject): JsonObject {
  const before = objectAt(old, 'resources')
  const amounts = (field: 'limits' | 'requests'): JsonObject => {
    const given = before[field]
    if (!isJsonObject(given)) return {}
    const {
      cpu: _cpu,
      memory: _memory,
      ...others
    } = objectAt(objectAt(container, 'resources'), field)
    const { cpu, memory } = given
    const kept = {
      ...others,
      ...(cpu === undefined ? {} : { cpu }),
      ...(memory === undefined ? {} : { memory }),
    }
    return { [field]: kept }
  }
  return { ...container, resources: { ...amounts('limits'), ...amounts('requests') } }
}

function mutabilityProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const oldContainers = containersOf(old, 'containers')
  const oldInits = containersOf(old, 'initContainers')
  const isKept = (container: JsonObject, before: JsonObject): boolean =>
    sameSpec(withOldAmounts(container, before), before)
  return [
    ...containersOf(next, 'containers').flatMap((container, index) =>
      problemIf(
        !isKept(container, oldContainers[index] ?? {}),
        forbiddenField('spec', 'only cpu and memory resources are mutable'),
      ),
    ),
    ...containersOf(next, 'initContainers').flatMap((container, index) => {
      const before = oldInits[index] ?? {}
      if (!isSidecar(container))
        return problemIf(
          !sameSpec(container, before),
          forbiddenField('spec', 'resources for non-sidecar init containers are immutable'),
        )
      const detail = 'only cpu and memory resources for sidecar containers are mutable'
      return problemIf(!isKept(container, before), forbiddenField('spec', detail))
    }),
  ]
}

function hasPodLevelResources(value: KubeObject): boolean {
  const resources = objectAt(specOf(value), 'resources')
  return ['requests', 'limits'].some((field) => Object.keys(objectAt(resources, field)).length > 0)
}

/** What no resize can do, whatever it asks for. */
function refusal(next: KubeObject, old: KubeObject): string | undefined {
  if (hasPodLevelResources(old) || hasPodLevelResources(next))
    return 'pods with pod-level resources cannot be resized'
  if (old.metadata.annotations?.[configMirrorAnnotation] !== undefined)
    return 'static pods cannot be resized'
  if (textAt(objectAt(specOf(old), 'os'), 'name') === 'windows')
    return 'windows pods cannot be resized'
  return undefined
}

/** Whether the first running container has resources in its status, as every kubelet that can resize writes it. */
function canNodeResize(pod: Pod): boolean {
  const running = pod.status?.containerStatuses?.find(({ state }) => state?.running !== undefined)
  return running === undefined || running.resources !== undefined
}

function resizeProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const refused = refusal(next, old)
  if (refused !== undefined) return [forbiddenField('[]', refused)]
  // The types of its fields were checked when it was decoded.
  const [pod, before] = [next as unknown as Pod, old as unknown as Pod]
  const isOtherClass = recordedQosClass(before) !== podQosClass(pod)
  const order = orderProblems(next, old)
  const qosClass = objectAt(next, 'status')['qosClass'] ?? ''
  const problems = [
    ...podSpecProblems(specOf(next)),
    ...problemIf(
      isOtherClass,
      invalidField('spec', qosClass, 'Pod QOS Class may not change as a result of resizing'),
    ),
    ...problemIf(
      !canNodeResize(before),
      forbiddenField('spec', 'Pod running on node without support for resize'),
    ),
    ...order,
  ]
  if (order.length > 0) return problems
  return [...problems, ...removalProblems(next, old), ...mutabilityProblems(next, old)]
}

export const podResizeRules: UpdateRules = { prepare: prepareForResize, problems: resizeProblems }
