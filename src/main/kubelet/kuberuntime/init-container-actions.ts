import { assertNever } from '../../../shared/assert-never.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import { hasDefinitionChanged } from './container-labels.ts'
import { findContainerStatus } from './container-restart.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import type { ContainerKillReason, ContainerToKill } from './container-to-kill.ts'
import type { PodResizes } from '../allocation/pod-resize.ts'
import type { ProbeResults } from '../container/probe-results.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'

/** What is to be done with the init containers, and whether the regular ones may run. */
export interface InitContainerActions {
  readonly isInitialized: boolean
  /** An init container failed for good. */
  readonly killPod: boolean
  readonly toStart: readonly Container[]
  readonly toKill: readonly ContainerToKill[]
}

const failedForGood: InitContainerActions = {
  isInitialized: false,
  killPod: true,
  toStart: [],
  toKill: [],
}

/**
 * Init containers and sidecars (containers#init-containers; kubelet computeInitContainerActions). Walks from the last
 * to the first, because finished ones may have been removed: the last known one shows how far the pod is.
 */
export function computeInitContainerActions(
  pod: Pod,
  status: PodRuntimeStatus,
  probes: ProbeResults,
  resizes: PodResizes,
): InitContainerActions {
  const { initContainers = [] } = pod.spec
  if (initContainers.length === 0) {
    return { isInitialized: true, killPod: false, toStart: [], toKill: [] }
  }
  const walk = new InitWalk(pod, status, { probes, resizes }, initContainers)
  for (let index = initContainers.length - 1; index >= 0; index--) {
    if (walk.visit(index) === 'failedForGood') return failedForGood
  }
  return walk.finish()
}

class InitWalk {
  readonly #pod: Pod
  readonly #podStatus: PodRuntimeStatus
  readonly #probes: ProbeResults
  readonly #resizes: PodResizes
  readonly #containers: readonly Container[]
  readonly #toStart: number[] = []
  readonly #toKill: ContainerToKill[] = []
  #isInitialized: boolean
  /** The container that is looked at was initialised before: one behind it has been started. */
  #wasInitialized: boolean

  constructor(
    pod: Pod,
    podStatus: PodRuntimeStatus,
    { probes, resizes }: { readonly probes: ProbeResults; readonly resizes: PodResizes },
    containers: readonly Container[],
  ) {
    this.#pod = pod
    this.#podStatus = podStatus
    this.#probes = probes
    this.#resizes = resizes
    this.#containers = containers
    // Exited ones do not count: after a reboot of the node everything has exited.
    this.#isInitialized = pod.spec.containers.some((container) => {
      const state = findContainerStatus(podStatus, container.name)?.state
      return state === 'created' || state === 'running'
    })
    this.#wasInitialized = this.#isInitialized
  }

  visit(index: number): 'failedForGood' | 'goOn' {
    const container = this.#containers[index]
    if (container === undefined) return 'goOn'
    const status = findContainerStatus(this.#podStatus, container.name)
    if (status === undefined) {
      // A sidecar whose container was removed is started again.
      if (this.#wasInitialized && isSidecar(container)) this.#toStart.push(index)
      return 'goOn'
    }
    if (this.#wasInitialized && !isSidecar(container)) return 'goOn'
    const isFinal = isSidecar(container)
      ? this.#visitSidecar(index, container, status)
      : this.#visitRegular(index, status)
    this.#wasInitialized = true
    return isFinal
  }

  finish(): InitContainerActions {
    if (!this.#wasInitialized) this.#toStart.push(0)
    const toStart = this.#toStart
      .toReversed()
      .map((index) => this.#containers[index])
      .filter((container) => container !== undefined)
    return { isInitialized: this.#isInitialized, killPod: false, toStart, toKill: this.#toKill }
  }

  #visitRegular(index: number, status: RuntimeContainerStatus): 'failedForGood' | 'goOn' {
    switch (status.state) {
      case 'running':
        return 'goOn'
      case 'created':
        // The runtime failed to start it.
        this.#toStart.push(index)
        return 'goOn'
      case 'exited':
        if (!hasFailed(status)) {
          this.#startNext(index)
          return 'goOn'
        }
        if (this.#pod.spec.restartPolicy === 'Never') return 'failedForGood'
        this.#toStart.push(index)
        return 'goOn'
      case 'unknown':
        if (this.#pod.spec.restartPolicy === 'Never') return 'failedForGood'
        this.#restartUnknown(index, status)
        return 'goOn'
      default:
        return assertNever(status.state, 'container state')
    }
  }

  #visitSidecar(index: number, container: Container, status: RuntimeContainerStatus): 'goOn' {
    switch (status.state) {
      case 'running':
        this.#visitRunningSidecar(index, container, status)
        return 'goOn'
      case 'created':
      case 'exited':
        this.#toStart.push(index)
        return 'goOn'
      case 'unknown':
        this.#restartUnknown(index, status)
        return 'goOn'
      default:
        return assertNever(status.state, 'container state')
    }
  }

  #visitRunningSidecar(index: number, container: Container, status: RuntimeContainerStatus): void {
    const name = `Init container ${container.name}`
    if (container.startupProbe !== undefined) {
      const startup = this.#probes.startup(status.id)
      if (startup === 'failure') {
        this.#restart(index, status, `${name} failed startup probe`, 'StartupProbe')
      }
      if (startup !== 'success') return
    }
    if (index === this.#containers.length - 1) this.#isInitialized = true
    else if (!this.#wasInitialized) this.#toStart.push(index + 1)
    if (hasDefinitionChanged(container, status)) {
      this.#restart(index, status, `${name} definition changed`, '')
      return
    }
    if (container.livenessProbe !== undefined) {
      const liveness = this.#probes.liveness(status.id)
      if (liveness === 'failure')
        this.#restart(index, status, `${name} failed liveness probe`, 'LivenessProbe')
      if (liveness === undefined || liveness === 'failure') return
    }
    const kill = this.#resizes.restartOf(container, status)
    if (kill !== undefined) this.#restart(index, status, kill.message, kill.reason)
  }

  #startNext(index: number): void {
    if (index === this.#containers.length - 1) this.#isInitialized = true
    else this.#toStart.push(index + 1)
  }

  #restartUnknown(index: number, status: RuntimeContainerStatus): void {
    const message = 'Init container is in "unknown" state, try killing it before restart'
    this.#restart(index, status, message, 'Unknown')
  }

  #restart(
    index: number,
    status: RuntimeContainerStatus,
    message: string,
    reason: ContainerKillReason,
  ): void {
    this.#toKill.push({ status, message, reason })
    this.#toStart.push(index)
  }
}

/** OOMKilled counts as failed with every exit code. */
function hasFailed(status: RuntimeContainerStatus): boolean {
  return status.reason === 'OOMKilled' || status.exitCode !== 0
}
