import { dns1035LabelProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'
import { ServiceAllocations, withAllocations } from './service-allocation.ts'
import { withoutTypeDependentFields, withServiceDefaults } from './service-spec.ts'
import {
  serviceProblems,
  serviceStatusProblems,
  serviceUpdateProblems,
} from './service-validation.ts'

/** Services. Source: pkg/registry/core/service/strategy.go (v1.34). */
export const serviceStrategy = plainStrategy({
  nameRule: dns1035LabelProblems,
  withDefaults: withServiceDefaults,
  defaultsWholeObject: true,
  allocate: (service, old, { stored, random }) => {
    const others = stored.filter(({ metadata }) => metadata.uid !== old?.metadata.uid)
    return withAllocations(service, old, new ServiceAllocations(others, random))
  },
  prepareForCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  createProblems: serviceProblems,
  prepareForUpdate: (next, old) =>
    withoutTypeDependentFields(withFieldOf(next, 'status', old), old),
  updateProblems: serviceUpdateProblems,
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems: serviceStatusProblems,
  createsOnUpdate: true,
  returnsDeletedObject: true,
})
