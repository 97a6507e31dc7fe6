import type { ContainerStatus, Pod } from '../../kubernetes/objects.ts'
import { podColumns } from '../../kubernetes/printers/pod-columns.ts'
import { isSidecar } from '../../kubernetes/pod-containers.ts'
import { isTerminalPhase } from '../../kubernetes/static-pods.ts'
import { fromTimestamp } from '../../kubernetes/timestamps.ts'
import type { PodEvidence } from './evidence.ts'

/** The pod whose status is nearest to its kubelet: a static pod's own from /pods, else the API's object. */
export function statusSource({ isStatic, told, api }: PodEvidence): Pod | null {
  if (isStatic && told !== null && told.value !== null) return told.value
  return api.value ?? told?.value ?? null
}

function statuses(pod: Pod | null): readonly ContainerStatus[] {
  const { initContainerStatuses = [], containerStatuses = [] } = pod?.status ?? {}
  return [...initContainerStatuses, ...containerStatuses]
}

/** Names of the containers that a status says run. */
export function runningByStatus(pod: Pod | null): readonly string[] {
  return statuses(pod).flatMap(({ name, state }) => (state?.running === undefined ? [] : [name]))
}

/** Containers that /runningpods has, and of which the status does not say that they run. */
export function unreported(evidence: PodEvidence): readonly string[] {
  const pod = statusSource(evidence)
  if (pod === null) return []
  const run = runningByStatus(pod)
  const own = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map(({ name }) => name)
  const listed = evidence.running?.value?.containers ?? []
  return listed.filter((name) => own.includes(name) && !run.includes(name)).toSorted()
}

/** STATUS and READY, as kubectl prints them. */
export function statusWords(pod: Pod): string {
  const { status, readyContainers, totalContainers } = podColumns(pod, 0)
  return `${status} ${readyContainers}/${totalContainers}`
}

/** The version of the API's object that /pods has, if the API has another one with another status; empty otherwise. */
export function differingVersion({ isStatic, api, told }: PodEvidence): string {
  if (isStatic || api.value === null || told === null || told.value === null) return ''
  const { resourceVersion = '' } = told.value.metadata
  if (resourceVersion === '' || resourceVersion === api.value.metadata.resourceVersion) return ''
  return statusWords(told.value) === statusWords(api.value) ? '' : resourceVersion
}

/** Whether a status says that each container of the pod has ended or never started, and at least one has ended. */
export function haveAllEnded(pod: Pod | null): boolean {
  const { containerStatuses = [] } = pod?.status ?? {}
  return (
    runningByStatus(pod).length === 0 &&
    containerStatuses.some(({ state }) => state?.terminated !== undefined)
  )
}

/** Whether its containers have ended and its restart policy starts none of them again. */
export function hasCompleted(pod: Pod | null): boolean {
  if (pod === null || !haveAllEnded(pod)) return false
  const { restartPolicy = 'Always' } = pod.spec
  if (restartPolicy === 'Always') return false
  const { containerStatuses = [] } = pod.status ?? {}
  if (containerStatuses.length < pod.spec.containers.length) return false
  const mayStay = (exitCode: number | undefined): boolean =>
    exitCode !== undefined && (restartPolicy === 'Never' || exitCode === 0)
  return containerStatuses.every(({ state }) => mayStay(state?.terminated?.exitCode))
}

/** When the last of its containers ended, ms; null: none has. */
export function lastEndOf(pod: Pod | null): number | null {
  const ends = statuses(pod).flatMap(
    ({ state }) => fromTimestamp(state?.terminated?.finishedAt) ?? [],
  )
  return ends.length === 0 ? null : Math.max(...ends)
}

export function isTerminal(pod: Pod | null): boolean {
  return isTerminalPhase(pod?.status?.phase)
}

/** The kubelet did not admit it: no container was ever created (kubelet.go: rejectPod). */
export function isRejected(pod: Pod | null): boolean {
  const { phase, reason = '', containerStatuses = [] } = pod?.status ?? {}
  return phase === 'Failed' && reason !== '' && containerStatuses.length === 0
}

/** Its worker has written a status: that names each container. For a pod that it rejects, a kubelet writes none of them. */
export function hasKubeletStatus(pod: Pod | null): boolean {
  return statuses(pod).length > 0
}

/** Reasons of events and statuses by which a kubelet rejects a pod (lifecycle/predicate.go and the admit handlers). */
const rejections =
  /^(OutOf.+|UnexpectedAdmissionError|NodeAffinity|TaintToleration|TopologyAffinityError|PodOSNotSupported|.*Forbidden|NodeShutdown|Evicted)$/

/** The reason of the event by which its kubelet rejected it: in the first seconds after its start it writes no final phase. */
export function rejectionIn({ events }: PodEvidence): string | undefined {
  return events.find(({ reason }) => rejections.test(reason))?.reason
}

/** When its kubelet began to end it by itself, ms: eviction, preemption, node shutdown; null if it did not. */
export function endedByKubeletAt(pod: Pod | null): number | null {
  const { conditions = [] } = pod?.status ?? {}
  const target = conditions.find(
    ({ type, status, reason }) =>
      type === 'DisruptionTarget' && status === 'True' && reason === 'TerminationByKubelet',
  )
  return target === undefined ? null : (fromTimestamp(target.lastTransitionTime) ?? 0)
}

/** Names of the containers with a preStop hook, sidecars among them. */
export function withPreStop({ spec }: Pod): readonly string[] {
  const all = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers]
  return all.flatMap(({ name, lifecycle }) =>
    typeof lifecycle === 'object' && lifecycle !== null && 'preStop' in lifecycle ? [name] : [],
  )
}

/** `deletionTimestamp` in ms; null: not deleted. It is the end of the grace period. */
export function deletionAt(pod: Pod | null): number | null {
  return fromTimestamp(pod?.metadata.deletionTimestamp) ?? null
}

/** When its activeDeadlineSeconds are over, ms; null: it has none, or has not started. Its kubelet ends it within 2 s of that. */
export function deadlineOf(pod: Pod | null): number | null {
  const started = fromTimestamp(pod?.status?.startTime)
  const seconds = pod?.spec.activeDeadlineSeconds
  return started === undefined || seconds === undefined ? null : started + seconds * 1000
}
