import { withFields } from '../../../shared/json.ts'
import type {
  Container,
  ContainerStatus,
  Pod,
  PodCondition,
  PodPhase,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { recordedQosClass } from '../../../shared/kubernetes/qos.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { noProbes } from '../container/probe-results.ts'
import type { ContainerProbes } from '../container/probe-results.ts'
import type { StartFailures } from '../container/reason-cache.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'
import { isStaticPod, isTerminalPhase } from '../pod/identity.ts'
import {
  containersReadyCondition,
  isConditionByKubelet,
  podInitializedCondition,
  podReadyCondition,
  podReadyToStartContainersCondition,
  podScheduledCondition,
  withCondition,
} from './conditions.ts'
import { runtimeContainerId, toApiContainerStatuses } from './container-statuses.ts'
import type { ContainerStatusesInput } from './container-statuses.ts'
import { podPhase } from './phase.ts'

/** Something inside the kubelet that ends pods by their status alone, as the active deadline does (termination#active-deadline). */
export interface PodEvictionCheck {
  /** Why the pod must end now; undefined while it may run. May record an event. */
  readonly shouldEvict: (
    pod: Pod,
    causes: TraceCauses,
  ) => { readonly reason: string; readonly message: string } | undefined
}

/** What the API status of a pod is made from. */
export interface ApiStatusInput {
  /** As the API server or the manifest last gave it, status included. */
  readonly pod: Pod
  readonly runtimeStatus: PodRuntimeStatus
  /** The worker stops the pod, or has stopped it, for good. */
  readonly podIsTerminal: boolean
  /** The status manager's cached status; undefined takes the pod's own. */
  readonly oldStatus: PodStatus | undefined
  readonly reasonCache: StartFailures
  /** The node's addresses, primary first; empty while they are not known. */
  readonly hostIPs?: readonly string[]
  /** Asked in order; the first that answers ends the pod. */
  readonly evictionChecks?: readonly PodEvictionCheck[]
  /** Absent: there are none. */
  readonly probes?: ContainerProbes
  /** Absent: none. */
  readonly resizeConditions?: readonly PodCondition[]
  /** What the containers were last started or updated with (ActuatedResources). Absent: not known. */
  readonly actuatedResources?: ContainerStatusesInput['actuatedResources']
  /** What led to this status being made; for what the eviction checks record. */
  readonly causes?: TraceCauses
}

/**
 * The status that the kubelet writes for a pod (status#building-the-status, steps 1 to 9; kubelet generateAPIPodStatus).
 * Transition times, start time and observedGeneration of the whole are the status manager's. Pure but for
 * what the eviction checks do.
 */
export function generateApiPodStatus(input: ApiStatusInput): PodStatus {
  const { pod, runtimeStatus } = input
  const old = input.oldStatus ?? pod.status ?? {}
  const converted = convertStatuses(input, old)
  const ending = endingOf(input, old, converted)
  const probes: PodProbes = { of: input.probes ?? noProbes, podUid: pod.metadata.uid }
  const statuses: Statuses = {
    regular: converted.regular.map((status) => withProbeResults(status, probes)),
    init: converted.init.map((status) =>
      withInitResults(pod.spec.initContainers ?? [], status, probes),
    ),
    ephemeral: converted.ephemeral,
  }
  // Field by field: spreads cost more than all else here, and each sync makes a status.
  const status: Mutable<PodStatus> = {
    phase: ending.phase,
    conditions: conditionsOf(input, old, statuses, ending.phase),
  }
  if (ending.message !== '') status.message = ending.message
  if (ending.reason !== '') status.reason = ending.reason
  setAddresses(status, pod, runtimeStatus.ips, input.hostIPs ?? [])
  if (statuses.init.length > 0) status.initContainerStatuses = statuses.init
  status.containerStatuses = statuses.regular
  if (statuses.ephemeral.length > 0) status.ephemeralContainerStatuses = statuses.ephemeral
  status.qosClass = recordedQosClass(pod)
  return status
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface Statuses {
  readonly regular: readonly ContainerStatus[]
  readonly init: readonly ContainerStatus[]
  readonly ephemeral: readonly ContainerStatus[]
}

function convertStatuses(
  { pod, runtimeStatus, reasonCache, actuatedResources }: ApiStatusInput,
  old: PodStatus,
): Statuses {
  const shared = { pod, runtimeStatus, startFailures: reasonCache, actuatedResources }
  return {
    regular: toApiContainerStatuses({
      kind: 'regular',
      previous: old.containerStatuses ?? [],
      ...shared,
    }),
    init: toApiContainerStatuses({
      kind: 'init',
      previous: old.initContainerStatuses ?? [],
      ...shared,
    }),
    ephemeral: toApiContainerStatuses({
      kind: 'ephemeral',
      previous: old.ephemeralContainerStatuses ?? [],
      ...shared,
    }),
  }
}

interface Ending {
  readonly phase: PodPhase
  readonly reason: string
  readonly message: string
}

/** Phase, reason and message (status#building-the-status steps 2 to 6). */
function endingOf(input: ApiStatusInput, old: PodStatus, statuses: Statuses): Ending {
  const { pod } = input
  const apiPhase = pod.status?.phase
  const computed = computedPhase(input, old, statuses)
  // The reason belongs to the phase; that is how `Evicted` outlives a new generation of the status.
  const isKept = computed === old.phase
  const kept: Ending = {
    phase: computed,
    reason: isKept ? old.reason || pod.status?.reason || '' : '',
    message: isKept ? old.message || pod.status?.message || '' : '',
  }
  const ended = firstEviction(input) ?? kept
  const isLeavingTerminal =
    apiPhase !== undefined && isTerminalPhase(apiPhase) && ended.phase !== apiPhase
  return isLeavingTerminal ? { ...ended, phase: apiPhase } : ended
}

function computedPhase(input: ApiStatusInput, old: PodStatus, statuses: Statuses): PodPhase {
  const { pod, runtimeStatus, podIsTerminal } = input
  const phase = podPhase(pod, [...statuses.regular, ...statuses.init], {
    podIsTerminal,
    podHasInitialized: hasActiveRegularContainer(pod, runtimeStatus),
    isStatic: isStaticPod(pod),
  })
  if (isTerminalPhase(phase)) return phase
  const apiPhase = pod.status?.phase
  if (old.phase !== undefined && isTerminalPhase(old.phase)) return old.phase
  return apiPhase !== undefined && isTerminalPhase(apiPhase) ? apiPhase : phase
}

/** A regular container of the present sandbox exists, in whatever state (HasAnyActiveRegularContainerStarted). */
function hasActiveRegularContainer(pod: Pod, status: PodRuntimeStatus): boolean {
  const [newest] = status.sandboxes
  if (newest?.state !== 'ready') return false
  const names = new Set(pod.spec.containers.map(({ name }) => name))
  return status.containers.some(
    ({ podSandboxId, name }) => podSandboxId === newest.id && names.has(name),
  )
}

/** Of the checks, the first that ends the pod. */
export function firstEviction({
  pod,
  evictionChecks = [],
  causes = [],
}: Pick<ApiStatusInput, 'pod' | 'evictionChecks' | 'causes'>): Ending | undefined {
  for (const check of evictionChecks) {
    const eviction = check.shouldEvict(pod, causes)
    if (eviction !== undefined) return { phase: 'Failed', ...eviction }
  }
  return undefined
}

export interface PodProbes {
  readonly of: ContainerProbes
  readonly podUid: string
}

/** `started` and `ready` (containers#probes; prober Manager.UpdatePodStatus). */
function withProbeResults(status: ContainerStatus, probes: PodProbes): ContainerStatus {
  const started = isStarted(status, probes)
  return withFields(status, started ? { started, ready: isReady(status, probes) } : { started })
}

/** An init container that is not a sidecar has no probes: it is ready once it has exited 0. */
function withInitResults(
  containers: readonly Container[],
  status: ContainerStatus,
  probes: PodProbes,
): ContainerStatus {
  const container = containers.find(({ name }) => name === status.name)
  if (container !== undefined && isSidecar(container)) {
    return withProbeResults(status, probes)
  }
  const started = isStarted(status, probes)
  return { ...status, started, ready: status.ready || status.state?.terminated?.exitCode === 0 }
}

export function isStarted(status: ContainerStatus, probes: PodProbes): boolean {
  if (status.state?.running === undefined) return false
  const result = probes.of.startup(runtimeContainerId(status.containerID ?? ''))
  // One that has not run yet has not succeeded.
  return result === undefined
    ? !probes.of.hasWorker(probes.podUid, status.name, 'startup')
    : result === 'success'
}

function isReady(status: ContainerStatus, probes: PodProbes): boolean {
  if (isProbedReady(status, probes)) return true
  // As soon as it has started, and whenever the pod is synced while it is not ready.
  probes.of.trigger(probes.podUid, status.name)
  return false
}

/** Of one that has started. */
export function isProbedReady(status: ContainerStatus, probes: PodProbes): boolean {
  const result = probes.of.readiness(runtimeContainerId(status.containerID ?? ''))
  return result === 'success' || !probes.of.hasWorker(probes.podUid, status.name, 'readiness')
}

/** Foreign conditions first, then those of a resize, then a DisruptionTarget of before, then the kubelet's five in their order. */
function conditionsOf(
  { pod, runtimeStatus, resizeConditions = [] }: ApiStatusInput,
  old: PodStatus,
  statuses: Statuses,
  phase: PodPhase,
): readonly PodCondition[] {
  const foreign = (pod.status?.conditions ?? []).filter(({ type }) => !isConditionByKubelet(type))
  const disruption = old.conditions?.find(({ type }) => type === 'DisruptionTarget')
  const present = [...foreign, ...resizeConditions]
  const carried = disruption === undefined ? present : withCondition(present, disruption)
  const all = [...statuses.init, ...statuses.regular]
  return [
    ...carried,
    podReadyToStartContainersCondition(pod, runtimeStatus),
    podInitializedCondition(pod, all, phase),
    podReadyCondition(pod, carried, all, phase),
    containersReadyCondition(pod, all, phase),
    podScheduledCondition(pod),
  ]
}

function setAddresses(
  status: Mutable<PodStatus>,
  pod: Pod,
  sandboxIps: readonly string[],
  hostIPs: readonly string[],
): void {
  const [hostIP] = hostIPs
  const own = sortPodIPs(sandboxIps, hostIP)
  const podIps = pod.spec.hostNetwork === true ? withHostIPs(own, hostIPs) : own
  const [podIP] = podIps
  if (hostIP !== undefined) {
    status.hostIP = hostIP
    status.hostIPs = hostIPs.map((ip) => ({ ip }))
  }
  if (podIP !== undefined) {
    status.podIP = podIP
    status.podIPs = podIps.map((ip) => ({ ip }))
  }
}

/** On the host's network the host's address is the pod's, and its second one of another family is added. */
function withHostIPs(podIps: readonly string[], hostIPs: readonly string[]): readonly string[] {
  const [hostIP, second] = hostIPs
  const ips = podIps.length === 0 && hostIP !== undefined ? [hostIP] : podIps
  const [only, ...others] = ips
  const isOther = only !== undefined && second !== undefined && isIPv6(only) !== isIPv6(second)
  return isOther && others.length === 0 ? [only, second] : ips
}

function isIPv6(ip: string): boolean {
  return ip.includes(':')
}

/** The first address of the node's family, then the first of the other (the kubelet's sortPodIPs). */
export function sortPodIPs(ips: readonly string[], hostIP: string | undefined): readonly string[] {
  const isPrimaryIPv6 = hostIP !== undefined && isIPv6(hostIP)
  const primary = ips.find((ip) => isIPv6(ip) === isPrimaryIPv6)
  const secondary = ips.find((ip) => isIPv6(ip) !== isPrimaryIPv6)
  return [primary, secondary].filter((ip) => ip !== undefined)
}
