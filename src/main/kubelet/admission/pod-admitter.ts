import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'

/** Why the node does not take a pod. The kubelet writes `reason` and "Pod was rejected: " + message into its status. */
export interface AdmissionRefusal {
  readonly reason: string
  readonly message: string
}

/**
 * One admission handler (kubelet pkg/kubelet/lifecycle PodAdmitHandler). Undefined: it has no objection.
 * `otherPods` are the pods that count against the node, without the one in question. Answers at once, but
 * for a preemption: then the sync loop waits with it, until the victims have stopped (admission#preemption).
 */
export interface PodAdmitter {
  readonly admit: (
    pod: Pod,
    otherPods: readonly Pod[],
    causes: TraceCauses,
  ) => AdmissionRefusal | undefined | Promise<AdmissionRefusal | undefined>
}

/** Asks the handlers in order; the first refusal wins (admission#handlers). */
export async function firstRefusal(
  admitters: readonly PodAdmitter[],
  pod: Pod,
  otherPods: readonly Pod[],
  causes: TraceCauses,
): Promise<AdmissionRefusal | undefined> {
  for (const admitter of admitters) {
    const refusal = await admitter.admit(pod, otherPods, causes)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
