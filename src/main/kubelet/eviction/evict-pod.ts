/** The kubelet's own eviction of one pod (pkg/kubelet/eviction evictPod; eviction#evicting-one-pod). */
import { evictionRefusal } from '../../../shared/kubernetes/critical-pod.ts'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { criticalBecause, tracePod } from '../pod/identity.ts'
import type { Clock, EventRecorder, Trace } from '../ports.ts'
import { withDisruptionTarget } from '../status/disruption-target.ts'
import type { KillPodFunc } from '../workers/kill-pod.ts'

/** What a kubelet grants under a hard threshold and for a limit of local storage, in seconds. */
export const hardEvictionGraceSeconds = 1

/** How a pod is evicted. */
export interface Eviction {
  /** Message of the event, of the status, and of the condition. */
  readonly message: string
  /** Seconds; 0 becomes 1 at the worker. */
  readonly gracePeriodSeconds: number
  /** Whether the pod gets the condition DisruptionTarget: under node pressure, not for a limit of local storage (eviction#local-storage-limits). */
  readonly disruptionTarget: boolean
  /** Of the event: `offending_containers` and its like, which a kubelet under pressure names. */
  readonly annotations?: Readonly<Record<string, string>>
}

/** Phase Failed, reason Evicted, and DisruptionTarget where the eviction has it. */
function evictedStatus(pod: Pod, status: PodStatus, eviction: Eviction, now: number): PodStatus {
  const { message, disruptionTarget } = eviction
  const ended: PodStatus = { ...status, phase: 'Failed', reason: 'Evicted', message }
  return disruptionTarget ? withDisruptionTarget(pod, ended, message, now) : ended
}

interface PodEvictorDeps {
  readonly clock: Clock
  readonly recorder: EventRecorder
  readonly trace: Trace
  readonly kill: KillPodFunc
}

/** Evicts pods as the kubelet does: no budget is asked, the object stays. */
export class PodEvictor {
  readonly #deps: PodEvictorDeps

  constructor(deps: PodEvictorDeps) {
    this.#deps = deps
  }

  /**
   * Evicts one pod. Resolves when it has stopped; an eviction whose kill timed out also counts.
   * Error: the pod is critical and is left alone, with the reason as a sentence.
   */
  async evictPod(
    pod: Pod,
    eviction: Eviction,
    causes: TraceCauses,
  ): Promise<Result<undefined, string>> {
    const { trace, recorder, kill, clock } = this.#deps
    const critical = criticalBecause(pod)
    if (critical !== '') {
      const refusal = evictionRefusal(critical, pod.spec.priority ?? 0)
      tracePod(trace, pod, 'eviction.refused', causes, { message: refusal })
      return err(refusal)
    }
    const { message, gracePeriodSeconds, annotations } = eviction
    const data = { message, gracePeriodSeconds }
    const requested = tracePod(trace, pod, 'eviction.requested', causes, data)
    const subject = { kind: 'pod', pod } as const
    recorder.event(subject, 'Warning', 'Evicted', message, [requested], annotations)
    const killed = await kill(pod, {
      evict: true,
      gracePeriodSecondsOverride: gracePeriodSeconds,
      podStatusFunc: (status) => evictedStatus(pod, status, eviction, clock.now()),
      causes: [requested],
    })
    tracePod(trace, pod, 'eviction.completed', [requested], { timedOut: !killed.ok })
    return ok(undefined)
  }
}
