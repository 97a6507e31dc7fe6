import {
  forbiddenField,
  invalidField,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  equalJson,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { appArmorAnnotationPrefix } from '../../../../shared/kubernetes/pod-containers.ts'
import {
  podSpecProblems,
  tolerationProblems,
} from '../../../../shared/kubernetes/validation/pod-validation.ts'
import { configMirrorAnnotation } from '../../../kubelet/pod/identity.ts'
import { specDifference } from '../spec-difference.ts'

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** A value without the parts that Go cannot distinguish from absent ones. */
function meaningful(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningful)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
    .map(([field, entry]): [string, unknown] => [field, meaningful(entry)])
    .filter(([, entry]) => !isEmpty(entry))
  return Object.fromEntries(entries)
}

/** True if two specs are equal; absent, empty, `""` and `false` count as equal. */
export function sameSpec(a: JsonObject, b: JsonObject): boolean {
  return a === b || equalJson(meaningful(a), meaningful(b))
}

/** With the next generation if the spec has changed (updatePodGeneration). */
export function withGeneration(next: KubeObject, old: KubeObject): KubeObject {
  if (sameSpec(objectAt(next, 'spec'), objectAt(old, 'spec'))) return next
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...next, metadata: { ...next.metadata, generation } }
}

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

function withImagesOf(containers: readonly JsonObject[], old: readonly JsonObject[]) {
  return containers.map((container, index) => ({ ...container, image: old[index]?.['image'] }))
}

/** The new spec with the old values of the fields that may change. */
function munged(next: JsonObject, old: JsonObject): JsonObject {
  return {
    ...next,
    containers: withImagesOf(objectsAt(next, 'containers'), objectsAt(old, 'containers')),
    initContainers: withImagesOf(
      objectsAt(next, 'initContainers'),
      objectsAt(old, 'initContainers'),
    ),
    activeDeadlineSeconds: old['activeDeadlineSeconds'],
    tolerations: old['tolerations'],
    schedulingGates: old['schedulingGates'],
    ...(isGated(old)
      ? { nodeSelector: old['nodeSelector'], affinity: mungedAffinity(next, old) }
      : {}),
  }
}

function isGated(spec: JsonObject): boolean {
  return objectsAt(spec, 'schedulingGates').length > 0
}

/** The new affinity with the old node affinity, which a gated pod may narrow. */
function mungedAffinity(next: JsonObject, old: JsonObject): JsonObject {
  const nodeAffinity = objectAt(old, 'affinity')['nodeAffinity']
  return { ...objectAt(next, 'affinity'), nodeAffinity }
}

/** Gates may only be removed. Source: validateOnlyDeletedSchedulingGates. */
function gateProblems(next: JsonObject, old: JsonObject): FieldProblems {
  const before = new Set(objectsAt(old, 'schedulingGates').map((gate) => textAt(gate, 'name')))
  return objectsAt(next, 'schedulingGates').flatMap((gate, index) => {
    const name = textAt(gate, 'name')
    if (before.has(name)) return []
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    return [forbiddenField(`spec.schedulingGates[${index}].name`, detail)]
  })
}

const termLists = ['matchExpressions', 'matchFields'] as const

/** Source: validateNodeSelectorTermHasOnlyAdditions. */
function hasOnlyAdditions(next: JsonObject, old: JsonObject): boolean {
  if (termLists.every((list) => objectsAt(old, list).length === 0))
    return termLists.every((list) => objectsAt(next, list).length === 0)
  return termLists.every((list) => {
    const before = objectsAt(old, list)
    return equalJson(meaningful(objectsAt(next, list).slice(0, before.length)), meaningful(before))
  })
}

function requiredTerms(spec: JsonObject): readonly JsonObject[] {
  const nodeAffinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity')
  const required = objectAt(nodeAffinity, 'requiredDuringSchedulingIgnoredDuringExecution')
  return objectsAt(required, 'nodeSelectorTerms')
}

/** The node selector and node affinity of a gated pod may be narrowed. Source: validateNodeSelectorMutation, validateNodeAffinityMutation. */
function gatedProblems(next: JsonObject, old: JsonObject): FieldProblems {
  if (!isGated(old)) return []
  const selector = objectAt(next, 'nodeSelector')
  const isSelectorKept = Object.entries(objectAt(old, 'nodeSelector')).every(
    ([key, value]) => Object.hasOwn(selector, key) && selector[key] === value,
  )
  const selectorDetail =
    'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  const ofSelector = isSelectorKept
    ? []
    : [invalidField('spec.nodeSelector', selector, selectorDetail)]
  return [...ofSelector, ...affinityProblems(requiredTerms(next), requiredTerms(old))]
}

function affinityProblems(next: readonly JsonObject[], old: readonly JsonObject[]): FieldProblems {
  const field =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  if (old.length > 0 && old.length !== next.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [invalidField(field, next.length === 0 ? null : next, detail)]
  }
  return old.flatMap((term, index) => {
    const added = next[index] ?? {}
    if (hasOnlyAdditions(added, term)) return []
    const detail = 'only additions are allowed (no mutations or deletions)'
    return [invalidField(`${field}[${index}]`, added, detail)]
  })
}

function immutableProblems(next: JsonObject, old: JsonObject): FieldProblems {
  const rest = munged(next, old)
  if (sameSpec(rest, old)) return []
  const detail = `pod updates may not change fields other than ${changeable}\n${specDifference(rest, old, sameSpec)}`
  return [forbiddenField('spec', detail)]
}

function imageProblems(
  next: JsonObject,
  old: JsonObject,
  list: 'containers' | 'initContainers',
): FieldProblems | undefined {
  const containers = objectsAt(next, list)
  if (containers.length !== objectsAt(old, list).length) return undefined
  return containers.flatMap((container, index) => {
    const image = textAt(container, 'image')
    const field = `spec.${list}[${index}].image`
    if (image === '') return [requiredField(field)]
    if (image.trim() === image) return []
    return [invalidField(field, image, 'must not have leading or trailing whitespace')]
  })
}

function deadlineProblems(next: JsonObject, old: JsonObject): FieldProblems {
  const field = 'spec.activeDeadlineSeconds'
  const seconds = numberAt(next, 'activeDeadlineSeconds')
  const before = numberAt(old, 'activeDeadlineSeconds')
  if (before === undefined) return []
  if (seconds === undefined) {
    return [invalidField(field, null, 'must not update from a positive integer to nil value')]
  }
  if (seconds <= before) return []
  return [invalidField(field, seconds, 'must be less than or equal to previous value')]
}

function tolerationsProblems(next: JsonObject, old: JsonObject): FieldProblems {
  const field = 'spec.tolerations'
  const added = objectsAt(next, 'tolerations')
  const isSame = (a: JsonObject, b: JsonObject): boolean =>
    equalJson(
      meaningful({ ...a, tolerationSeconds: undefined }),
      meaningful({ ...b, tolerationSeconds: undefined }),
    )
  const hasAll = objectsAt(old, 'tolerations').every((toleration) =>
    added.some((candidate) => isSame(candidate, toleration)),
  )
  if (hasAll) return tolerationProblems(added, field)
  const detail = 'existing toleration can not be modified except its tolerationSeconds'
  return [forbiddenField(field, detail)]
}

/** A mirror pod must name its node. Source: pkg/apis/core/validation ValidatePodSpecificAnnotations. */
export function mirrorNodeProblems(pod: KubeObject): FieldProblems {
  const hash = pod.metadata.annotations?.[configMirrorAnnotation]
  if (!hash || textAt(objectAt(pod, 'spec'), 'nodeName') !== '') return []
  const detail = 'must set spec.nodeName if mirror pod annotation is set'
  return [invalidField(`metadata.annotations[${configMirrorAnnotation}]`, hash, detail)]
}

/** Source: pkg/apis/core/validation ValidatePodSpecificAnnotationUpdates (v1.34). */
function annotationProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const [now, before] = [next.metadata.annotations ?? {}, old.metadata.annotations ?? {}]
  const changed = (key: string, verbs: string): FieldProblems => {
    const at = `metadata.annotations[${key}]`
    if (key.startsWith(appArmorAnnotationPrefix))
      return [forbiddenField(at, `may not ${verbs} AppArmor annotations`)]
    if (key !== configMirrorAnnotation) return []
    return [forbiddenField(at, `may not ${verbs} mirror pod annotation`)]
  }
  return [
    ...Object.keys(before).flatMap((key) =>
      now[key] === before[key] ? [] : changed(key, 'remove or update'),
    ),
    ...Object.keys(now).flatMap((key) => (before[key] === undefined ? changed(key, 'add') : [])),
  ]
}

/** Problems of an updated pod beyond its metadata's. Source: pkg/apis/core/validation ValidatePodUpdate (v1.34). */
export function podUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  // Upstream validates this twice: with the whole pod and with the changed annotations.
  const ofMirror = mirrorNodeProblems(next)
  const problems = [
    ...ofMirror,
    ...podSpecProblems(spec),
    ...annotationProblems(next, old),
    ...ofMirror,
  ]
  for (const list of ['containers', 'initContainers'] as const) {
    const images = imageProblems(spec, oldSpec, list)
    if (images === undefined) {
      const detail = 'pod updates may not add or remove containers'
      return [...problems, forbiddenField(`spec.${list}`, detail)]
    }
    problems.push(...images)
  }
  const deadline = deadlineProblems(spec, oldSpec)
  if (deadline.length > 0) return [...problems, ...deadline]
  return [
    ...problems,
    ...tolerationsProblems(spec, oldSpec),
    ...gateProblems(spec, oldSpec),
    ...gatedProblems(spec, oldSpec),
    ...immutableProblems(spec, oldSpec),
  ]
}
