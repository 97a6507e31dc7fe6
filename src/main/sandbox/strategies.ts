import { numberAt, objectAt, textAt } from '../../shared/json.ts'
import { invalidField } from '../../shared/kubernetes/field-problem.ts'
import type { FieldProblem } from '../../shared/kubernetes/field-problem.ts'
import {
  boolean,
  int32,
  mapOf,
  microTime,
  object,
  text,
  time,
} from '../../shared/kubernetes/object-shape.ts'
import type { KubeObject } from '../../shared/kubernetes/objects.ts'
import { disruptionBudgetStrategy } from './disruption-budget-strategy.ts'
import { namespaceStrategy } from './namespace-strategy.ts'
import { nodeStrategy } from './node-strategy.ts'
import { podStrategy } from './pod-strategy.ts'
import type { ResourceType } from './resource-types.ts'
import { fieldOf, objectShape, plainStrategy } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

const eventShape = objectShape('Event', {
  involvedObject: object('ObjectReference', {
    kind: text,
    namespace: text,
    name: text,
    uid: text,
    apiVersion: text,
    resourceVersion: text,
    fieldPath: text,
  }),
  reason: text,
  message: text,
  source: object('EventSource', { component: text, host: text }),
  firstTimestamp: time,
  lastTimestamp: time,
  count: int32,
  type: text,
  eventTime: microTime,
  reportingComponent: text,
  reportingInstance: text,
})

function eventProblems(event: KubeObject): readonly FieldProblem[] {
  const namespace = event.metadata.namespace ?? ''
  const involved = textAt(objectAt({ ...event }, 'involvedObject'), 'namespace')
  // What has no namespace itself (a node) has its events in the default one.
  const fits = involved === '' ? namespace === 'default' : involved === namespace
  if (fits) return []
  return [invalidField('involvedObject.namespace', involved, 'does not match event.namespace')]
}

const leaseShape = objectShape('Lease', {
  spec: object('LeaseSpec', {
    holderIdentity: text,
    leaseDurationSeconds: int32,
    acquireTime: microTime,
    renewTime: microTime,
    leaseTransitions: int32,
  }),
})

function leaseProblems(lease: KubeObject): readonly FieldProblem[] {
  const spec = fieldOf(lease, 'spec')
  const duration = numberAt(spec, 'leaseDurationSeconds')
  const transitions = numberAt(spec, 'leaseTransitions')
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalidField('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ]
}

const strategies: Readonly<Record<string, ResourceStrategy>> = {
  Pod: podStrategy,
  Node: nodeStrategy,
  Namespace: namespaceStrategy,
  Event: plainStrategy(eventShape, {
    withDefaults: (event) => ({
      // A struct of its own in Go: an event always has one.
      involvedObject: {},
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
      ...event,
    }),
    createProblems: eventProblems,
    updateProblems: eventProblems,
    createsOnUpdate: true,
  }),
  Lease: plainStrategy(leaseShape, {
    createProblems: leaseProblems,
    updateProblems: leaseProblems,
    createsOnUpdate: true,
    updatesUnconditionally: false,
  }),
  PodDisruptionBudget: disruptionBudgetStrategy,
  ServiceAccount: plainStrategy(
    objectShape('ServiceAccount', { automountServiceAccountToken: boolean }),
    { returnsDeletedObject: true },
  ),
  ConfigMap: plainStrategy(objectShape('ConfigMap', { data: mapOf(text), immutable: boolean })),
}

/** The strategy of a resource; those that are only listed have a plain one. */
export function strategyOf(type: ResourceType): ResourceStrategy {
  return strategies[type.kind] ?? plainStrategy(objectShape(type.kind, {}))
}
