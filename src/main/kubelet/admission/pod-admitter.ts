import type { Pod } from '../../../shared/kubernetes/objects.ts'

/** Why the node does not take a pod. The kubelet writes `reason` and "Pod was rejected: " + message into its status. */
export interface AdmissionRefusal {
  readonly reason: string
  readonly message: string
}

/**
 * One admission handler (kubelet pkg/kubelet/lifecycle PodAdmitHandler). Undefined: it has no objection.
 * `activePods` are the pods that count against the node, without the one in question. Never blocks.
 */
export interface PodAdmitter {
  readonly admit: (pod: Pod, activePods: readonly Pod[]) => AdmissionRefusal | undefined
}

/** Asks the handlers in order; the first refusal wins (semantics 5.7). */
export function firstRefusal(
  admitters: readonly PodAdmitter[],
  pod: Pod,
  activePods: readonly Pod[],
): AdmissionRefusal | undefined {
  for (const admitter of admitters) {
    const refusal = admitter.admit(pod, activePods)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
