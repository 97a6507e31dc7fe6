import { events, get, patch, post, put, remove, watch, type Scenario } from '../exchange.ts'

const old = '/api/v1/namespaces/<ns>/events'
const fresh = '/apis/events.k8s.io/v1/namespaces/<ns>/events'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

function event(name: string, more: Fields = {}): { readonly body: unknown } {
  return {
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name },
      eventTime: '2026-01-01T00:00:00.000001Z',
      reportingController: 'example.com/test',
      reportingInstance: 'test-1',
      action: 'Testing',
      reason: 'Tested',
      note: 'a note',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: '<ns>', name: 'web', apiVersion: 'v1' },
      ...more,
    },
  }
}

const invalid = { status: 422, holds: { reason: 'Invalid' } }

/** The same events through both of their groups. */
export const eventExchanges: readonly Scenario[] = [
  {
    title: 'an event of events.k8s.io is one of v1, and the other way around',
    steps: [
      watch('old', old),
      watch('fresh', fresh),
      post(fresh, { ...event('new'), holds: { note: 'a note' } }),
      get(`${old}/new`, { holds: { message: 'a note', involvedObject: { name: 'web' } } }),
      post(old, {
        body: {
          metadata: { name: 'old' },
          involvedObject: { kind: 'Pod', namespace: '<ns>', name: 'db' },
          message: 'another',
          source: { component: 'kubelet', host: 'n1' },
          firstTimestamp: '2026-01-01T00:00:00Z',
          lastTimestamp: '2026-01-01T00:00:05Z',
          count: 3,
          type: 'Warning',
        },
      }),
      get(`${fresh}/old`, { holds: { note: 'another', deprecatedCount: 3 } }),
      get(fresh, { holds: { kind: 'EventList', apiVersion: 'events.k8s.io/v1' } }),
      get(fresh, { accept: table, holds: { kind: 'Table' } }),
      get(fresh, { query: { fieldSelector: 'regarding.name=web' } }),
      get(fresh, { query: { fieldSelector: 'reportingController=example.com/test' } }),
      get(fresh, {
        query: { fieldSelector: 'involvedObject.name=web' },
        status: 400,
        holds: { reason: 'BadRequest' },
      }),
      get(old, { query: { fieldSelector: 'source=example.com/test' } }),
      patch('strategic', `${fresh}/new`, {
        series: { count: 2, lastObservedTime: '2026-01-01T00:00:09.000000Z' },
      }),
      get(`${old}/new`, { holds: { series: { count: 2 } } }),
      patch('strategic', `${old}/old`, { count: 4 }),
      remove(`${fresh}/old`),
      events('old', [{ type: 'ADDED' }, { type: 'ADDED' }, { type: 'MODIFIED' }, {}, {}]),
      events('fresh', [{ type: 'ADDED' }, { type: 'ADDED' }, {}, {}, { type: 'DELETED' }]),
      get(`${fresh}/old`, { status: 404 }),
    ],
  },
  {
    title: 'an event of events.k8s.io is checked more strictly',
    steps: [
      post(fresh, { body: { metadata: { name: 'empty' } }, ...invalid }),
      post(fresh, { ...event('a', { type: 'Other' }), ...invalid }),
      post(fresh, { ...event('a', { deprecatedCount: 2 }), ...invalid }),
      post(fresh, { ...event('a', { deprecatedSource: { component: 'x' } }), ...invalid }),
      post(fresh, {
        ...event('a', { deprecatedFirstTimestamp: '2026-01-01T00:00:00Z' }),
        ...invalid,
      }),
      post(fresh, { ...event('a', { series: { count: 1 } }), ...invalid }),
      post(fresh, { ...event('a', { reportingController: 'not valid' }), ...invalid }),
      post(fresh, { ...event('a', { note: 'x'.repeat(1025) }), ...invalid }),
      post(fresh, { ...event('a', { regarding: { kind: 'Node', name: 'n1' } }), ...invalid }),
      post(old, {
        body: { metadata: { name: 'b' }, eventTime: '2026-01-01T00:00:00.000000Z' },
        ...invalid,
      }),
      post(fresh, event('a')),
      put(`${fresh}/a`, { ...event('a', { note: 'changed' }), ...invalid }),
      put(`${fresh}/a`, { ...event('a', { series: { count: 1 } }), ...invalid }),
      patch('merge', `${fresh}/a`, { reason: 'Else', action: 'x' }, invalid),
      patch('merge', `${fresh}/a`, { metadata: { labels: { a: 'b' } } }),
    ],
  },
]
