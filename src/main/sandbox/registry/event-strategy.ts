import { invalidField } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { plainStrategy } from './strategy.ts'

function eventProblems(event: KubeObject): FieldProblems {
  const namespace = event.metadata.namespace ?? ''
  const involved = textAt(objectAt(event, 'involvedObject'), 'namespace')
  // The events of objects without a namespace (nodes) are in the default namespace.
  const fits = involved === '' ? namespace === 'default' : involved === namespace
  if (fits) return []
  return [invalidField('involvedObject.namespace', involved, 'does not match event.namespace')]
}

/** Events. Source: pkg/registry/core/event/strategy.go (v1.34). */
export const eventStrategy = plainStrategy({
  withDefaults: (event) => ({
    // Not a pointer in Go: an event always has one.
    involvedObject: {},
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    ...event,
  }),
  createProblems: eventProblems,
  updateProblems: eventProblems,
  createsOnUpdate: true,
})
