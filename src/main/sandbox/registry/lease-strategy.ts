import { invalidField, problemIf } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { numberAt, objectAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { plainStrategy } from './strategy.ts'

function leaseProblems(lease: KubeObject): FieldProblems {
  const spec = objectAt(lease, 'spec')
  const duration = numberAt(spec, 'leaseDurationSeconds') ?? 1
  const transitions = numberAt(spec, 'leaseTransitions') ?? 0
  const field = 'spec.leaseTransitions'
  const atLeastZero = 'must be greater than or equal to 0'
  const atLeastOne = invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0')
  return [
    ...problemIf(duration <= 0, atLeastOne),
    ...problemIf(transitions < 0, invalidField(field, transitions, atLeastZero)),
  ]
}

/** Leases. Source: pkg/registry/coordination/lease/strategy.go (v1.34). */
export const leaseStrategy = plainStrategy({
  createProblems: leaseProblems,
  updateProblems: leaseProblems,
  createsOnUpdate: true,
  updatesUnconditionally: false,
})
