import { defined } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'

/** Events of events.k8s.io/v1, which are stored as those of v1. Source: pkg/apis/events/v1/conversion.go (v1.34). */

/** By the name of a field in v1: its name in events.k8s.io/v1. */
const newNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
}

const oldNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(newNames).map(([old, name]) => [name, old]),
)

function renamed(object: KubeObject, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(object).map(([name, value]) => [names[name] ?? name, value])
  return Object.fromEntries(entries) as JsonObject
}

/** What Go writes of a field that is not a pointer. */
const emptyOld = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
}

/** As `events.k8s.io/v1` shows it. */
export function newEvent(stored: KubeObject): KubeObject {
  const { metadata, reportingComponent, reportingInstance, ...rest } = stored
  // Left out where they are empty, other than in v1.
  const reporting = {
    ...(reportingComponent === '' ? {} : { reportingComponent }),
    ...(reportingInstance === '' ? {} : { reportingInstance }),
  }
  const event = renamed({ ...rest, ...reporting, metadata }, newNames)
  return { ...event, apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata }
}

/** As it is stored. */
export function oldEvent(event: KubeObject): KubeObject {
  const { metadata } = event
  const old = { ...emptyOld, ...renamed(event, oldNames) }
  return defined({ ...old, apiVersion: 'v1', kind: 'Event', metadata })
}
