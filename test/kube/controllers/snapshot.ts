import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import { objectsIn } from './side.ts'
import type { Side } from './side.ts'

const times = /time$|timestamp$/i

/** Which fields of an object do not depend on the side. */
const leftOut = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'podIP',
  'podIPs',
  // When the endpoints changed: only a real controller writes it.
  'endpoints.kubernetes.io/last-change-trigger-time',
])

/** A value without times, identities and what chance named. */
function normalized(value: unknown): unknown {
  if (typeof value === 'string') return withoutNames(value)
  if (Array.isArray(value)) return value.map((one: unknown) => normalized(one))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(
    ([field, one]) => !times.test(field) && !leftOut.has(field) && one !== null,
  )
  const entries = kept.map(([field, one]) => [field, normalized(one)] as const)
  return Object.fromEntries(
    entries.filter(
      ([field, one]) => field !== 'annotations' || Object.keys(Object(one)).length > 0,
    ),
  )
}

/** Generated names end in five of these characters: `web-5d6cc9566d-*`. */
function withoutNames(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\b10\.1\.\d+\.\d+\b/g, 'ADDRESS')
      // The Jobs of a CronJob are named by the minute.
      .replaceAll(/-\d{8}(?!\d)/g, '-MINUTE')
      .replaceAll(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])/g, '-*')
  )
}

/**
 * Whether a rollout that has just begun counts as progress depends on which of two writes of the real controller conflicts: the
 * same acts give either.
 */
function withoutRace(line: string): string {
  return line.replaceAll(
    /Created new replica set \\"([^\\]+)\\"","reason":"NewReplicaSetCreated"/g,
    String.raw`ReplicaSet \"$1\" is progressing.","reason":"ReplicaSetUpdated"`,
  )
}

function podState(pod: JsonObject): JsonObject {
  const spec = objectAt(pod, 'spec')
  const status = objectAt(pod, 'status')
  const [container = {}] = objectsAt(spec, 'containers')
  return {
    metadata: objectAt(pod, 'metadata'),
    spec: {
      hostname: spec['hostname'],
      subdomain: spec['subdomain'],
      restartPolicy: spec['restartPolicy'],
      nodeName: spec['nodeName'],
      affinity: spec['affinity'],
      activeDeadlineSeconds: spec['activeDeadlineSeconds'],
      tolerations: objectsAt(spec, 'tolerations'),
      image: container['image'],
      env: listAt(container, 'env'),
      claims: objectsAt(spec, 'volumes').filter((one) => 'persistentVolumeClaim' in one),
    },
    status: {
      phase: status['phase'],
      conditions: objectsAt(status, 'conditions'),
    },
  }
}

/** Endpoints are in any order, and named by chance. */
function inOrder(object: JsonObject, field: string): readonly unknown[] {
  const key = (one: unknown): string => sortedJson(normalized(one))
  return objectsAt(object, field).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

function stateOf(path: string, object: JsonObject): JsonObject {
  if (path.includes('/pods/')) return podState(object)
  const { spec, status, ...rest } = object
  if (path.includes('/endpointslices/')) {
    // Several changes of pods become one write or more, by when the controller gets to them.
    const { generation: _, ...metadata } = objectAt(object, 'metadata')
    return { ...object, metadata, endpoints: inOrder(object, 'endpoints') }
  }
  if (path.includes('/endpoints/')) {
    const subsets = objectsAt(object, 'subsets').map((subset) => ({
      ...subset,
      addresses: inOrder(subset, 'addresses'),
      notReadyAddresses: inOrder(subset, 'notReadyAddresses'),
    }))
    return { ...object, subsets }
  }
  if (path.includes('/services/')) return { metadata: rest['metadata'] }
  if (!isJsonObject(spec) || !('template' in spec)) return object
  const template = objectAt(spec, 'template')
  // Its hash is compared.
  const short = { labels: objectAt(objectAt(template, 'metadata'), 'labels') }
  return { ...rest, spec: { ...spec, template: short }, status }
}

/** Sorted lines: one for each object, with everything that does not depend on the side. */
export async function snapshotOf(side: Side, namespace: string): Promise<readonly string[]> {
  const objects = await objectsIn(side, namespace)
  return objects
    .filter(({ path }) => !path.endsWith('/configmaps/kube-root-ca.crt'))
    .map(({ path, object }) => {
      const kind = path.split('/').at(-2) ?? ''
      const name = path.split('/').at(-1) ?? ''
      return withoutRace(
        `${kind}/${withoutNames(name)} ${sortedJson(normalized(stateOf(path, object)))}`,
      )
    })
    .toSorted()
}

const combined = '(combined from similar events): '

/**
 * Of more than ten similar events the last ones share one event with the words of the newest (event_aggregator of client-go).
 * Which those are depends on the order in which pods became ready: of such events the sum is compared.
 */
function withoutOrder(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const groupOf = (words: string): string =>
    words.slice(0, words.indexOf(': ', words.indexOf(': ') + 2))
  const groups = new Set(
    [...counts.keys()].filter((words) => words.includes(combined)).map(groupOf),
  )
  const sums = new Map<string, number>()
  for (const [words, count] of counts) {
    const key = groups.has(groupOf(words)) ? `${groupOf(words)}: combined` : words
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  return sums
}

/** Sorted lines: one for each event about an object of the namespace or one of its volumes, with its count. */
export async function eventsOf(side: Side, namespace: string): Promise<readonly string[]> {
  const { body } = await side.send('GET', `/api/v1/namespaces/${namespace}/events`)
  const { body: inDefault } = await side.send('GET', '/api/v1/namespaces/default/events')
  const ofVolumes = objectsAt(inDefault, 'items').filter((event) => {
    const { kind, name } = objectAt(event, 'involvedObject')
    return kind === 'PersistentVolume' && String(name).startsWith(`${namespace}-`)
  })
  const counts = new Map<string, number>()
  for (const event of [...objectsAt(body, 'items'), ...ofVolumes]) {
    const about = objectAt(event, 'involvedObject')
    const component = textAt(objectAt(event, 'source'), 'component')
    const words = [
      `${textAt(about, 'apiVersion')} ${textAt(about, 'kind')}/${withoutNames(textAt(about, 'name'))}`,
      `${component}: ${textAt(event, 'type')} ${textAt(event, 'reason')}: ${withoutNames(textAt(event, 'message'))}`,
    ].join(' ')
    // Every 15 s the controller says again why a claim is pending, and with back-off why it cannot make one.
    // The controller of CronJobs says it again at each change, and when its cache is late.
    const isRepeated =
      textAt(about, 'kind').startsWith('PersistentVolume') ||
      component === 'ephemeral_volume' ||
      component === 'cronjob-controller'
    const count = typeof event['count'] === 'number' && !isRepeated ? event['count'] : 1
    counts.set(words, (counts.get(words) ?? 0) + count)
  }
  return [...withoutOrder(counts)].map(([words, count]) => `${words} x${count}`).toSorted()
}

/** JSON with fields in the order of their names, without empty ones. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (!isJsonObject(one)) return one
    const entries = Object.entries(one).filter(([, field]) => field !== undefined)
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
