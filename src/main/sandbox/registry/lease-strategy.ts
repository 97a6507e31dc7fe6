import { invalidField, problemIf } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { numberAt, objectAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { plainStrategy } from './strategy.ts'

function leaseProblems(lease: KubeObject): FieldProblems {
  const spec = objectAt(lease, 'spec')
  const duration = numberAt(spec, 'leaseDurationSeconds')
  const transitions = numberAt(spec, 'leaseTransitions')
  return [
    ...problemIf(
      duration !== undefined && duration <= 0,
      invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0'),
    ),
    ...problemIf(
      transitions !== undefined && transitions < 0,
      invalidField('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
    ),
  ]
}

/** Leases. Source: pkg/registry/coordination/lease/strategy.go (v1.34). */
export const leaseStrategy = plainStrategy({
  createProblems: leaseProblems,
  updateProblems: leaseProblems,
  createsOnUpdate: true,
  updatesUnconditionally: false,
})
