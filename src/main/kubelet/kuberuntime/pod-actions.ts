import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import { hasDefinitionChanged } from './container-labels.ts'
import { findContainerStatus, shouldContainerBeRestarted } from './container-restart.ts'
import { computeInitContainerActions } from './init-container-actions.ts'
import type { ProbeResults } from '../container/probe-results.ts'
import type { ContainerKillReason, ContainerToKill } from './container-to-kill.ts'
import { PodResizes } from '../allocation/pod-resize.ts'
import type { ActuatedResources } from '../allocation/pod-resize.ts'
import { podSandboxChanged } from './sandbox-change.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'

/** What a runtime sync has to do for a pod. Containers to start are the spec's, in its order. */
export interface PodActions {
  /** Stop all running containers and the sandboxes. */
  readonly killPod: boolean
  readonly createSandbox: boolean
  readonly sandboxId: string | undefined
  /** Attempt of the sandbox that is or will be in use. */
  readonly attempt: number
  readonly ephemeralContainersToStart: readonly Container[]
  readonly initContainersToStart: readonly Container[]
  readonly containersToStart: readonly Container[]
  readonly containersToKill: readonly ContainerToKill[]
  /** CPU and memory of containers that keep running. */
  readonly resizes: PodResizes
}

/**
 * What must be done to bring the containers to what the spec says (containers#pod-actions,
 * containers#init-containers; kubelet computePodActions). Pure. Without `actuated` nothing is resized.
 */
export function computePodActions(
  pod: Pod,
  status: PodRuntimeStatus,
  probes: ProbeResults,
  actuated?: ActuatedResources['actuatedResources'],
): PodActions {
  const sandbox = podSandboxChanged(pod, status)
  const base: PodActions = {
    killPod: sandbox.isNeeded,
    createSandbox: sandbox.isNeeded,
    sandboxId: sandbox.sandboxId,
    attempt: sandbox.attempt,
    ephemeralContainersToStart: [],
    initContainersToStart: [],
    containersToStart: [],
    containersToKill: [],
    resizes: new PodResizes(pod, actuated),
  }
  return sandbox.isNeeded
    ? withNewSandbox(base, pod, status)
    : withPresentSandbox(base, pod, status, probes)
}

function withNewSandbox(base: PodActions, pod: Pod, status: PodRuntimeStatus): PodActions {
  const { restartPolicy, initContainers = [] } = pod.spec
  // A pod that ran once and must not run again is only killed. Without any container, creating the
  // first one may have failed, so that is tried again.
  if (restartPolicy === 'Never' && base.attempt !== 0 && status.containers.length > 0) {
    return { ...base, createSandbox: false }
  }
  const toStart = pod.spec.containers.filter(
    (container) => restartPolicy !== 'OnFailure' || !hasSucceeded(container, status),
  )
  if (toStart.length === 0 && hasAnyRegularContainer(pod, status)) {
    return { ...base, createSandbox: false }
  }
  const [firstInit] = initContainers
  return firstInit === undefined
    ? { ...base, containersToStart: toStart }
    : { ...base, initContainersToStart: [firstInit] }
}

function hasSucceeded(container: Container, status: PodRuntimeStatus): boolean {
  const last = findContainerStatus(status, container.name)
  return last?.state === 'exited' && last.exitCode === 0
}

function hasAnyRegularContainer(pod: Pod, status: PodRuntimeStatus): boolean {
  return pod.spec.containers.some((container) => {
    const state = findContainerStatus(status, container.name)?.state
    return state === 'created' || state === 'running' || state === 'exited'
  })
}

function withPresentSandbox(
  base: PodActions,
  pod: Pod,
  status: PodRuntimeStatus,
  probes: ProbeResults,
): PodActions {
  const ephemeralContainersToStart = (pod.spec.ephemeralContainers ?? []).filter(
    (container) => findContainerStatus(status, container.name) === undefined,
  )
  const { resizes } = base
  const init = computeInitContainerActions(pod, status, probes, resizes)
  const started: PodActions = {
    ...base,
    ephemeralContainersToStart,
    killPod: init.killPod,
    initContainersToStart: init.toStart,
    containersToKill: init.toKill,
  }
  if (init.killPod || !init.isInitialized) return started
  const actions = pod.spec.containers.map((container) =>
    containerAction(container, { pod, status, probes, resizes }),
  )
  const containersToStart = actions.flatMap(({ container, start }) => (start ? [container] : []))
  const containersToKill = [...init.toKill, ...actions.flatMap(({ kill }) => kill ?? [])]
  if (containersToStart.length > 0 || actions.some(({ keep }) => keep)) {
    return { ...started, containersToStart, containersToKill }
  }
  // Nothing is left to run; sidecars must not keep the pod alive.
  return { ...started, killPod: true, initContainersToStart: [], containersToKill }
}

interface ContainerAction {
  readonly container: Container
  readonly start: boolean
  readonly keep: boolean
  readonly kill?: ContainerToKill
}

function containerAction(
  container: Container,
  {
    pod,
    status: podStatus,
    probes,
    resizes,
  }: {
    readonly pod: Pod
    readonly status: PodRuntimeStatus
    readonly probes: ProbeResults
    readonly resizes: PodResizes
  },
): ContainerAction {
  const status = findContainerStatus(podStatus, container.name)
  if (status?.state !== 'running') {
    const start = shouldContainerBeRestarted(container, pod, podStatus)
    const action: ContainerAction = { container, start, keep: false }
    if (!start || status?.state !== 'unknown') return action
    // It may be running after all: two of them must not run at once.
    const message = 'Container is in "unknown" state, try killing it before restart'
    return { ...action, kill: { status, message, reason: 'Unknown' } }
  }
  const fault = restartCause(container, status, probes)
  if (fault === undefined) {
    const kill = resizes.restartOf(container, status)
    return kill === undefined
      ? { container, start: false, keep: true }
      : { container, start: true, keep: false, kill }
  }
  const start = fault.isDefinition || pod.spec.restartPolicy !== 'Never'
  const message = start ? `${fault.message}, will be restarted` : fault.message
  return { container, start, keep: false, kill: { status, message, reason: fault.reason } }
}

interface RestartCause {
  readonly message: string
  readonly reason: ContainerKillReason
  /** A changed definition restarts the container under every restart policy. */
  readonly isDefinition: boolean
}

function restartCause(
  container: Container,
  status: RuntimeContainerStatus,
  probes: ProbeResults,
): RestartCause | undefined {
  const { name } = container
  if (hasDefinitionChanged(container, status)) {
    const message = `Container ${name} definition changed`
    return { message, reason: '', isDefinition: true }
  }
  if (probes.liveness(status.id) === 'failure') {
    const message = `Container ${name} failed liveness probe`
    return { message, reason: 'LivenessProbe', isDefinition: false }
  }
  if (probes.startup(status.id) === 'failure') {
    const message = `Container ${name} failed startup probe`
    return { message, reason: 'StartupProbe', isDefinition: false }
  }
  return undefined
}
