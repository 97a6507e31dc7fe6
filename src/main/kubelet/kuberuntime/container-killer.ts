import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { podDescription, tracePod } from '../pod/identity.ts'
import type { CorePorts, EventRecorder, RuntimeContainer, RuntimeService } from '../ports.ts'
import { deferred } from '../container/deferred.ts'
import { recordContainerEvent } from './container-events.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { findContainerSpec } from './container-spec.ts'
import type { ContainerKillReason } from './container-to-kill.ts'
import { lifecycleHookOf } from './lifecycle-hooks.ts'
import type { HandlerRunner } from './lifecycle-hooks.ts'
import type { SyncResult } from '../container/runtime.ts'
import { TerminationOrdering } from './termination-ordering.ts'

/** The least time that any container gets between SIGTERM and SIGKILL, in seconds (termination#stopping-containers). */
const minimumGracePeriodSeconds = 2

interface ContainerKillerDeps extends CorePorts {
  readonly runtimeService: RuntimeService
  readonly recorder: EventRecorder
  readonly hooks: HandlerRunner
}

type KilledContainer = Pick<RuntimeContainer, 'id' | 'name'>

interface KillRequest {
  readonly pod: Pod
  /** Absent: the pod's container of that name. */
  readonly spec?: Container
  readonly container: KilledContainer
  /** For the `Killing` event; empty for the usual one. */
  readonly message: string
  readonly reason: ContainerKillReason
  /** Seconds; replaces the grace of pod and probe. */
  readonly gracePeriodOverride?: number | undefined
  readonly causes: TraceCauses
}

/** Stops containers as the kubelet does (termination#stopping-containers): grace rules, preStop hook, sidecars last, at least two seconds. */
export class ContainerKiller {
  readonly #deps: ContainerKillerDeps

  constructor(deps: ContainerKillerDeps) {
    this.#deps = deps
  }

  /** Stops one container. Undefined when it has ended; else why not. */
  kill(request: KillRequest): Promise<string | undefined> {
    return this.#kill(request, undefined)
  }

  /** Stops containers of one pod at the same time. One result each, in their order. */
  async killAll(request: {
    readonly pod: Pod
    readonly containers: readonly KilledContainer[]
    readonly gracePeriodOverride: number | undefined
    readonly causes: TraceCauses
  }): Promise<readonly SyncResult[]> {
    const { pod, containers, gracePeriodOverride, causes } = request
    const hasSidecars = (pod.spec.initContainers ?? []).some(isSidecar)
    const names = containers.map(({ name }) => name)
    const ordering = hasSidecars ? new TerminationOrdering(this.#deps, pod, names) : undefined
    return Promise.all(
      containers.map(async (container): Promise<SyncResult> => {
        const message = await this.#kill(
          { pod, container, message: '', reason: 'Unknown', gracePeriodOverride, causes },
          ordering,
        )
        const step: SyncResult = { action: 'KillContainer', target: container.name }
        return message === undefined
          ? step
          : { ...step, error: { reason: 'KillContainerError', message, isBackOff: false } }
      }),
    )
  }

  async #kill(
    request: KillRequest,
    ordering: TerminationOrdering | undefined,
  ): Promise<string | undefined> {
    const { pod, container, causes } = request
    const spec = request.spec ?? findContainerSpec(pod, container.name)
    if (spec === undefined) {
      const id = `${this.#deps.runtimeService.name}://${container.id}`
      return `failed to get containerSpec ${goQuote(container.name)} (id=${goQuote(id)}) in pod ${goQuote(podDescription(pod))} when killing container for reason ${goQuote(request.message)}`
    }
    const ownGrace = gracePeriodOf(pod, spec, request.reason)
    const grace = request.gracePeriodOverride ?? ownGrace
    const message = request.message || `Stopping container ${container.name}`
    const seq = this.#announce(pod, container, message, grace, causes)
    const left = await this.#graceLeft({ pod, spec, container, grace, ordering, causes: [seq] })
    const timeoutSeconds = Math.max(left, minimumGracePeriodSeconds)
    const stopped = await this.#deps.runtimeService.stopContainer(container.id, timeoutSeconds, [
      seq,
    ])
    if (!stopped.ok && stopped.error.kind !== 'not-found') {
      this.#deps.log.error('container not stopped', {
        podUid: pod.metadata.uid,
        container: container.name,
        error: stopped.error.message,
      })
      return stopped.error.message
    }
    ordering?.containerTerminated(container.name)
    return undefined
  }

  #announce(
    pod: Pod,
    container: KilledContainer,
    why: string,
    grace: number,
    causes: TraceCauses,
  ): TraceSeq {
    const seq = tracePod(this.#deps.trace, pod, 'container.killing', causes, {
      container: container.name,
      containerId: container.id,
      gracePeriodSeconds: Math.max(grace, minimumGracePeriodSeconds),
      why,
    })
    recordContainerEvent(this.#deps.recorder, {
      pod,
      containerName: container.name,
      containerId: container.id,
      type: 'Normal',
      reason: 'Killing',
      message: why,
      causes: [seq],
    })
    return seq
  }

  /** What hook and turn leave of the grace, in seconds; may be negative. */
  async #graceLeft(kill: {
    readonly pod: Pod
    readonly spec: Container
    readonly container: KilledContainer
    readonly grace: number
    readonly ordering: TerminationOrdering | undefined
    readonly causes: TraceCauses
  }): Promise<number> {
    const { pod, spec, container, grace, ordering, causes } = kill
    let left = grace
    if (lifecycleHookOf(spec, 'preStop') !== undefined && left > 0)
      left -= await this.#runPreStop({ pod, spec, containerId: container.id, grace, causes })
    if (ordering !== undefined && left > 0) left -= await ordering.waitForTurn(spec.name, left)
    return left
  }

  /** Seconds that the hook took, cut; the grace, where it is not over until then. */
  async #runPreStop(stop: {
    readonly pod: Pod
    readonly spec: Container
    readonly containerId: string
    readonly grace: number
    readonly causes: TraceCauses
  }): Promise<number> {
    const { clock } = this.#deps
    const { pod, spec, containerId, grace, causes } = stop
    const startedAt = clock.now()
    const graceOver = deferred<undefined>()
    const cancel = clock.after(grace * 1000, () => {
      graceOver.resolve(undefined)
    })
    const hook = { pod, container: spec, containerId, name: 'preStop' } as const
    const ended = this.#deps.hooks.run({ ...hook, maxMs: grace * 1000, causes }).then((failure) => {
      if (failure === undefined) return
      // Without the message, which may hold secrets.
      const event = { pod, containerName: spec.name, containerId, causes, type: 'Warning' } as const
      const [reason, message] = ['FailedPreStopHook', 'PreStopHook failed']
      recordContainerEvent(this.#deps.recorder, { ...event, reason, message })
    })
    await Promise.race([ended, graceOver.promise])
    cancel()
    return Math.floor((clock.now() - startedAt) / 1000)
  }
}

/** Seconds, before any override: of the deletion, else of the failed probe, else of the spec, else the least. */
function gracePeriodOf(pod: Pod, container: Container, reason: ContainerKillReason): number {
  const { deletionGracePeriodSeconds } = pod.metadata
  const { terminationGracePeriodSeconds } = pod.spec
  if (deletionGracePeriodSeconds !== undefined) return deletionGracePeriodSeconds
  if (terminationGracePeriodSeconds === undefined) return minimumGracePeriodSeconds
  return probeGracePeriod(container, reason) ?? terminationGracePeriodSeconds
}

function probeGracePeriod(container: Container, reason: ContainerKillReason): number | undefined {
  const probe =
    reason === 'LivenessProbe'
      ? container.livenessProbe
      : reason === 'StartupProbe'
        ? container.startupProbe
        : undefined
  if (typeof probe !== 'object' || probe === null) return undefined
  const seconds =
    'terminationGracePeriodSeconds' in probe ? probe.terminationGracePeriodSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}
