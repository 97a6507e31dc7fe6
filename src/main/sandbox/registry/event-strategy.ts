import {
  immutableProblems,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { equalJson, isJsonObject, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { qualifiedNameProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { oldEvent } from './event-conversion.ts'
import { plainStrategy } from './strategy.ts'

/** Source: pkg/apis/core/validation/events.go (v1.34). */

function namespaceProblems(event: KubeObject): FieldProblems {
  const namespace = event.metadata.namespace ?? ''
  const involved = textAt(objectAt(event, 'involvedObject'), 'namespace')
  const isNew = textAt(event, 'eventTime') !== ''
  // The events of objects without a namespace (nodes) are in the default namespace.
  const isOfCluster = namespace === 'default' || (isNew && namespace === 'kube-system')
  // A new event of an object with a namespace may be anywhere.
  const fits = involved === '' ? isOfCluster : isNew || involved === namespace
  if (fits) return []
  return [invalidField('involvedObject.namespace', involved, 'does not match event.namespace')]
}

function limitProblems(event: KubeObject, name: string, limit: number): FieldProblems {
  const isLong = Buffer.byteLength(textAt(event, name)) > limit
  return problemIf(isLong, invalidField(name, '', `can have at most ${limit} characters`))
}

function missingProblems(event: KubeObject, name: string, field = name): FieldProblems {
  return problemIf(textAt(event, name) === '', requiredField(field))
}

/** `controllerField`: what the request's version calls the reporting component. */
function eventProblems(event: KubeObject, controllerField: string): FieldProblems {
  if (textAt(event, 'eventTime') === '') return namespaceProblems(event)
  const controller = textAt(event, 'reportingComponent')
  return [
    ...namespaceProblems(event),
    ...missingProblems(event, 'reportingComponent', controllerField),
    ...invalidEach(controllerField, controller, qualifiedNameProblems(controller)),
    ...missingProblems(event, 'reportingInstance'),
    ...limitProblems(event, 'reportingInstance', 128),
    ...missingProblems(event, 'action'),
    ...limitProblems(event, 'action', 128),
    ...missingProblems(event, 'reason'),
    ...limitProblems(event, 'reason', 128),
    ...limitProblems(event, 'message', 1024),
  ]
}

const ofCore = (event: KubeObject): FieldProblems => eventProblems(event, 'reportingComponent')

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
  createProblems: ofCore,
  updateProblems: ofCore,
  createsOnUpdate: true,
})

function seriesProblems({ series }: KubeObject): FieldProblems {
  if (!isJsonObject(series)) return []
  const isFew = (numberAt(series, 'count') ?? 0) < 2
  return [
    ...problemIf(isFew, invalidField('series.count', '', 'should be at least 2')),
    ...problemIf(
      textAt(series, 'lastObservedTime') === '',
      requiredField('series.lastObservedTime'),
    ),
  ]
}

function unsetProblem(isSet: boolean, field: string): FieldProblems {
  return problemIf(isSet, invalidField(field, '', 'needs to be unset'))
}

function createProblems(event: KubeObject): FieldProblems {
  const old = oldEvent(event)
  const type = textAt(old, 'type')
  const { component, host } = objectAt(old, 'source')
  return [
    ...eventProblems(old, 'reportingController'),
    ...seriesProblems(old),
    ...missingProblems(old, 'eventTime'),
    ...problemIf(
      type !== 'Normal' && type !== 'Warning',
      invalidField('type', '', `has invalid value: ${type}`),
    ),
    ...unsetProblem(textAt(old, 'firstTimestamp') !== '', 'firstTimestamp'),
    ...unsetProblem(textAt(old, 'lastTimestamp') !== '', 'lastTimestamp'),
    ...unsetProblem((numberAt(old, 'count') ?? 0) !== 0, 'count'),
    ...unsetProblem(Boolean(component ?? '') || Boolean(host ?? ''), 'source'),
  ]
}

/** In upstream's order, which has one of them twice. */
const immutable = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const

function updateProblems(next: KubeObject, before: KubeObject): FieldProblems {
  const [after, old] = [oldEvent(next), oldEvent(before)]
  return [
    ...eventProblems(after, 'reportingController'),
    ...(equalJson(after['series'], old['series']) ? [] : seriesProblems(after)),
    ...immutable.flatMap((field) => immutableProblems(field, after[field], old[field])),
    ...immutableProblems(
      'reportingController',
      after['reportingComponent'],
      old['reportingComponent'],
    ),
    ...immutableProblems('reportingInstance', after['reportingInstance'], old['reportingInstance']),
  ]
}

/** The same through events.k8s.io/v1, which is stricter. */
export const newEventStrategy = plainStrategy({
  withDefaults: (event) => ({
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    eventTime: null,
    ...event,
  }),
  createProblems,
  updateProblems,
  createsOnUpdate: true,
})
