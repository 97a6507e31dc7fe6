import type { AdmissionRefusal } from './pod-admitter.ts'

/** Of one resource the node has too little left. Amounts: milli-CPUs for cpu, whole units for the rest. */
export interface InsufficientResource {
  readonly kind: 'insufficientResource'
  readonly resource: string
  readonly requested: bigint
  readonly used: bigint
  readonly capacity: bigint
}

/** Something about a pod and its node that does not go together (kubelet PredicateFailureReason). */
export type PredicateFailure =
  | InsufficientResource
  | { readonly kind: 'predicate'; readonly name: string; readonly description: string }

/** How much of the resource is missing. */
export function insufficientAmount(shortage: InsufficientResource): bigint {
  return shortage.requested - (shortage.capacity - shortage.used)
}

/** Reason and message that a pod is rejected with. */
export function refusalOf(failure: PredicateFailure): AdmissionRefusal {
  if (failure.kind === 'predicate') {
    const { name, description } = failure
    return { reason: name, message: `Predicate ${name} failed: ${description}` }
  }
  const { resource, requested, used, capacity } = failure
  return {
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  }
}
