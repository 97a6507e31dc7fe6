/** Making room for critical pods at admission (kubelet pkg/kubelet/preemption; admission#preemption). */
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { AdmissionFailureHandler } from '../admission/node-predicates.ts'
import { insufficientAmount } from '../admission/predicate-failure.ts'
import { isCriticalPod, podDescription, podSubject, traceAbout, tracePod } from '../pod/identity.ts'
import type { CorePorts, EventRecorder } from '../ports.ts'
import { withDisruptionTarget } from '../status/disruption-target.ts'
import type { KillPodFunc } from '../workers/kill-pod.ts'
import { getPodsToPreempt, requirementsText } from './pods-to-preempt.ts'
import type { AdmissionRequirement } from './pods-to-preempt.ts'

const message = 'Preempted in order to admit critical pod'
const conditionMessage = 'Pod was preempted by Kubelet to accommodate a critical pod.'

function preemptedStatus(pod: Pod, status: PodStatus, now: number): PodStatus {
  const ended: PodStatus = { ...status, phase: 'Failed', reason: 'Preempting', message }
  return withDisruptionTarget(pod, ended, conditionMessage, now)
}

export interface CriticalPodAdmissionDeps extends CorePorts {
  readonly kill: KillPodFunc
  readonly recorder: EventRecorder
}

/**
 * Lets critical pods in that only lack resources: pods of less worth are killed with their own grace, one
 * after the other, and each is waited for. Whether there is room then is not asked again: the pod is admitted,
 * also when a kill timed out. For a pod that also fails for another reason, the shortage is ignored and no pod is killed.
 */
export class CriticalPodAdmissionHandler implements AdmissionFailureHandler {
  readonly #deps: CriticalPodAdmissionDeps
  readonly #preemptions = new Map<string, number>()

  constructor(deps: CriticalPodAdmissionDeps) {
    this.#deps = deps
  }

  /** Pods that were preempted, by the resource that was missing first (metric `kubelet_preemptions`). */
  get preemptions(): ReadonlyMap<string, number> {
    return this.#preemptions
  }

  readonly handleAdmissionFailure: AdmissionFailureHandler['handleAdmissionFailure'] = async (
    pod,
    failures,
    causes,
    otherPods,
  ) => {
    if (!isCriticalPod(pod)) return ok(failures)
    const others = failures.filter(({ kind }) => kind !== 'insufficientResource')
    if (others.length > 0) return ok(others)
    const requirements = failures.flatMap((failure) =>
      failure.kind === 'insufficientResource'
        ? [{ resource: failure.resource, quantity: insufficientAmount(failure) }]
        : [],
    )
    const victims = getPodsToPreempt(pod, otherPods, requirements)
    if (!victims.ok)
      return err(`preemption: error finding a set of pods to preempt: ${victims.error}`)
    await this.#preempt(pod, victims.value, requirements, causes)
    return ok([])
  }

  async #preempt(
    pod: Pod,
    victims: readonly Pod[],
    requirements: readonly AdmissionRequirement[],
    causes: TraceCauses,
  ): Promise<void> {
    const decided = tracePod(this.#deps.trace, pod, 'preemption.decided', causes, {
      missing: requirementsText(requirements),
      victims: victims.map(podDescription),
    })
    const signal = requirements[0]?.resource ?? ''
    for (const victim of victims) {
      if (!(await this.#kill(victim, pod, decided))) continue
      this.#preemptions.set(signal, (this.#preemptions.get(signal) ?? 0) + 1)
      this.#deps.metrics?.preemptions.with(signal).increment()
    }
  }

  async #kill(victim: Pod, pod: Pod, decided: number): Promise<boolean> {
    const { kill, recorder, trace, clock, log } = this.#deps
    const subject = podSubject(victim)
    const requested = traceAbout(trace, subject, 'preemption.requested', [decided], {
      forPod: podDescription(pod),
      message,
    })
    recorder.event({ kind: 'pod', pod: victim }, 'Warning', 'Preempting', message, [requested])
    const killed = await kill(victim, {
      evict: true,
      podStatusFunc: (status) => preemptedStatus(victim, status, clock.now()),
      causes: [requested],
    })
    traceAbout(trace, subject, 'preemption.completed', [requested], { timedOut: !killed.ok })
    if (!killed.ok)
      log.warn('a pod that was preempted has not stopped in time', {
        pod: podDescription(victim),
        error: killed.error,
      })
    return killed.ok
  }
}
