/** The kubelet's own eviction of one pod (pkg/kubelet/eviction evictPod; semantics 8.7). */
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Pod, PodCondition, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { isMirror, isStatic, podSubject, systemCriticalPriority } from '../pod/identity.ts'
import type { Clock, EventRecorder, Trace } from '../ports.ts'
import type { KillPodFunc } from '../workers/kill-pod.ts'

/** What a kubelet grants under a hard threshold, in seconds. */
const hardEvictionGraceSeconds = 1

/** Why the kubelet never evicts this pod, as a sentence; undefined when it may. */
export function evictionRefusal(pod: Pod): string | undefined {
  if (isStatic(pod))
    return 'A static pod counts as critical, whatever its priority: the kubelet never evicts it.'
  if (isMirror(pod)) return 'A mirror pod counts as critical: the kubelet never evicts it.'
  const priority = pod.spec.priority ?? 0
  return priority >= systemCriticalPriority
    ? `Its priority ${priority} makes it critical (${systemCriticalPriority} and more): the kubelet never evicts it.`
    : undefined
}

function disruptionTarget(pod: Pod, message: string, now: number): PodCondition {
  const { generation } = pod.metadata
  return {
    type: 'DisruptionTarget',
    status: 'True',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: toTimestamp(now),
    reason: 'TerminationByKubelet',
    message,
  }
}

/** Phase Failed, reason Evicted, DisruptionTarget; an older condition of that type is replaced. */
function evictedStatus(pod: Pod, status: PodStatus, message: string, now: number): PodStatus {
  const others = (status.conditions ?? []).filter((one) => one.type !== 'DisruptionTarget')
  return {
    ...status,
    phase: 'Failed',
    reason: 'Evicted',
    message,
    conditions: [...others, disruptionTarget(pod, message, now)],
  }
}

/** Evicts pods as the kubelet does under hard node pressure: no budget is asked, grace 1 s, the object stays. */
export class PodEvictor {
  readonly #clock: Clock
  readonly #events: EventRecorder
  readonly #trace: Trace
  readonly #kill: KillPodFunc

  constructor(deps: {
    readonly clock: Clock
    readonly events: EventRecorder
    readonly trace: Trace
    readonly kill: KillPodFunc
  }) {
    this.#clock = deps.clock
    this.#events = deps.events
    this.#trace = deps.trace
    this.#kill = deps.kill
  }

  /**
   * Evicts one pod with `message` as event, status message and condition message. Resolves when it has
   * stopped; an eviction whose kill timed out has happened all the same. Error: refused, with the reason.
   */
  async evict(pod: Pod, message: string, causes: TraceCauses): Promise<Result<undefined, string>> {
    const refusal = evictionRefusal(pod)
    if (refusal !== undefined) {
      this.#emit(pod, causes, { kind: 'eviction.refused', data: { message: refusal } })
      return err(refusal)
    }
    const requested = this.#emit(pod, causes, {
      kind: 'eviction.requested',
      data: { message, gracePeriodSeconds: hardEvictionGraceSeconds },
    })
    this.#events.event({ kind: 'pod', pod }, 'Warning', 'Evicted', message, [requested])
    const killed = await this.#kill(pod, {
      evict: true,
      gracePeriodSecondsOverride: hardEvictionGraceSeconds,
      podStatusFunc: (status) => evictedStatus(pod, status, message, this.#clock.now()),
      causes: [requested],
    })
    this.#emit(pod, [requested], { kind: 'eviction.completed', data: { timedOut: !killed.ok } })
    return ok(undefined)
  }

  #emit(
    pod: Pod,
    causes: TraceCauses,
    what:
      | { readonly kind: 'eviction.refused'; readonly data: { readonly message: string } }
      | {
          readonly kind: 'eviction.requested'
          readonly data: { readonly message: string; readonly gracePeriodSeconds: number }
        }
      | { readonly kind: 'eviction.completed'; readonly data: { readonly timedOut: boolean } },
  ): number {
    return this.#trace.emit({ ...what, subject: podSubject(pod), causes })
  }
}
