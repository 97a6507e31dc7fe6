import { equalJson, isJsonObject, objectAt, objectsAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { forbidden, invalid } from '../../api-status.ts'
import { controllerOf } from '../../control-plane/workloads/controller-ref.ts'
import { groupResource } from '../../registry/resource-type.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { podTemplateOf } from '../../registry/workload/pod-template.ts'
import type { StoredWrite, Validation } from '../stored-write.ts'
import type { CheckedPod } from './checked-pod.ts'
import { detailText, reasonText, violationsOf } from './evaluate.ts'
import { isStricter, levelVersionText, policyOf, policyProblems } from './policy.ts'
import type { LevelVersion } from './policy.ts'

// The admission plugin PodSecurity with its default configuration: privileged unless a namespace's labels say otherwise, no
// exemptions. Source: k8s.io/pod-security-admission admission/admission.go (v1.34). Its audit annotations are not made.

/** More pods of a namespace are not checked when its level changes. */
const maxCheckedPods = 3000

function labelsOf(namespace: KubeObject | undefined): Readonly<Record<string, string>> {
  return namespace?.metadata.labels ?? {}
}

function checkedPod(podOrTemplate: JsonObject): CheckedPod {
  return {
    annotations: objectAt(objectAt(podOrTemplate, 'metadata'), 'annotations'),
    spec: objectAt(podOrTemplate, 'spec'),
  }
}

/** `violates PodSecurity "restricted:latest": …`; empty if it does not. */
function violationText(verb: string, lv: LevelVersion, pod: CheckedPod): string {
  const violations = violationsOf(lv, pod)
  if (violations.length === 0) return ''
  return `${verb} PodSecurity "${levelVersionText(lv)}": ${detailText(violations)}`
}

const withTemplates: ReadonlySet<string> = new Set([
  'replicationcontrollers',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
])

/** Whether an update adds a container or changes an image. Source: isSignificantPodUpdate. */
function isSignificantUpdate(next: JsonObject, old: JsonObject): boolean {
  const isOther = (list: string): boolean => {
    const [after, before] = [objectsAt(next, list), objectsAt(old, list)]
    if (after.length !== before.length) return true
    return after.some((container, index) => container['image'] !== before[index]?.['image'])
  }
  const known = objectsAt(old, 'ephemeralContainers')
  return (
    isOther('containers') ||
    isOther('initContainers') ||
    objectsAt(next, 'ephemeralContainers').some(
      (one) => !known.some(({ name, image }) => name === one['name'] && image === one['image']),
    )
  )
}

/** The pod or template that the plugin judges in a write; undefined if it judges none. */
function judgedPod(
  type: ResourceType,
  { next, old, subresource }: StoredWrite,
): CheckedPod | undefined {
  if (type.kind === 'Pod') {
    // All other subresources whose body is a pod are judged (ignoredPodSubresources).
    if (subresource === 'status') return undefined
    const isSame =
      old !== undefined && !isSignificantUpdate(objectAt(next, 'spec'), objectAt(old, 'spec'))
    return isSame ? undefined : checkedPod(next)
  }
  if (subresource !== '' || !withTemplates.has(groupResource(type))) return undefined
  const { template } = podTemplateOf(next).owner
  return isJsonObject(template) ? checkedPod(template) : undefined
}

const admitted: Validation = { refusal: undefined, warnings: [] }

/** Judges a pod, or warns about a template of pods. Source: ValidatePod, ValidatePodController, EvaluatePod. */
function validatePod(
  type: ResourceType,
  write: StoredWrite,
  namespace: KubeObject | undefined,
): Validation {
  const { enforce, warn } = policyOf(labelsOf(namespace))
  if (enforce.level === 'privileged' && warn.level === 'privileged') return admitted
  const pod = judgedPod(type, write)
  if (pod === undefined) return admitted
  const refusal = type.kind === 'Pod' ? violationText('violates', enforce, pod) : ''
  if (refusal !== '')
    return { refusal: forbidden(type, write.next.metadata.name, refusal), warnings: [] }
  const warning = violationText('would violate', warn, pod)
  return { refusal: undefined, warnings: warning === '' ? [] : [warning] }
}

/** Invalid labels of a namespace; an update that leaves them as they are has none. Source: ValidateNamespace. */
function namespaceProblems({ next, old }: StoredWrite): FieldProblems {
  const problems = policyProblems(labelsOf(next))
  return equalJson(problems, policyProblems(labelsOf(old))) ? [] : problems
}

/** The pods to check first: one of each controller. Source: prioritizePods. */
function prioritized(pods: readonly KubeObject[]): readonly KubeObject[] {
  const controllers = new Set<string>()
  const others: KubeObject[] = []
  const first = pods.filter((pod) => {
    const uid = controllerOf(pod)?.uid
    if (uid === undefined) return true
    if (controllers.has(uid)) others.push(pod)
    const isFirst = !controllers.has(uid)
    controllers.add(uid)
    return isFirst
  })
  return [...first, ...others]
}

/** `web (and 2 other pods): host namespaces`. Source: decoratePodWarnings. */
function podsText(names: readonly string[], reason: string): string {
  const [first = '', ...others] = names.toSorted()
  if (others.length === 0) return `${first}: ${reason}`
  const pods = others.length === 1 ? 'pod' : 'pods'
  return `${first} (and ${others.length} other ${pods}): ${reason}`
}

/** What a new level to enforce finds among the pods of a namespace. Source: EvaluatePodsInNamespace. */
function existingPodWarnings(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly KubeObject[],
): readonly string[] {
  const checked = prioritized(pods).slice(0, maxCheckedPods)
  const namesByReason = new Map<string, string[]>()
  for (const pod of checked) {
    const reason = reasonText(violationsOf(enforce, checkedPod(pod)))
    if (reason === '') continue
    const names = namesByReason.get(reason)
    if (names === undefined) namesByReason.set(reason, [pod.metadata.name])
    else names.push(pod.metadata.name)
  }
  const texts = [...namesByReason].map(([reason, names]) => podsText(names, reason)).toSorted()
  return [
    ...(checked.length < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]
      : []),
    ...(texts.length > 0
      ? [
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelVersionText(enforce)}"`,
        ]
      : []),
    ...texts,
  ]
}

/** What the writer of a namespace learns when it enforces more than before. Source: ValidateNamespace. */
function namespaceWarnings(
  { next, old }: StoredWrite,
  pods: () => readonly KubeObject[],
): readonly string[] {
  if (old === undefined) return []
  const [after, before] = [policyOf(labelsOf(next)).enforce, policyOf(labelsOf(old)).enforce]
  const isRelaxed = after.version === before.version && !isStricter(after.level, before.level)
  if (isRelaxed || after.level === 'privileged') return []
  return existingPodWarnings(next.metadata.name, after, pods())
}

/** Why a write is refused, and what its client is warned about. Source: Validate. */
export function validatePodSecurity(
  type: ResourceType,
  write: StoredWrite,
  lookups: {
    readonly namespaceNamed: (name: string) => KubeObject | undefined
    readonly podsIn: (namespace: string) => readonly KubeObject[]
  },
): Validation {
  const { name, namespace = '' } = write.next.metadata
  if (type.kind !== 'Namespace') return validatePod(type, write, lookups.namespaceNamed(namespace))
  if (write.subresource !== '') return admitted
  const problems = namespaceProblems(write)
  if (problems.length > 0) return { refusal: invalid(type, name, problems), warnings: [] }
  return { refusal: undefined, warnings: namespaceWarnings(write, () => lookups.podsIn(name)) }
}
