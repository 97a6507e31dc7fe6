import { eventsKept } from '../servers.ts'
import {
  boundPod,
  events,
  get,
  patch,
  pod,
  pods,
  post,
  remove,
  watch,
  type Ask,
  type Scenario,
} from '../exchange.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const metadataOnly =
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'
const configMaps = '/api/v1/namespaces/<ns>/configmaps'

const three: readonly Ask[] = [
  post(pods, { body: pod('a', { metadata: { labels: { app: 'web', tier: 'front' } } }) }),
  post(pods, { body: boundPod('b') }),
  post(pods, { body: pod('c', { metadata: { labels: { app: 'db' } } }) }),
  patch(
    'strategic',
    `${pods}/b/status`,
    { status: { phase: 'Running', podIP: '10.0.0.1' } },
    { holds: { status: { podIPs: [{ ip: '10.0.0.1' }] } } },
  ),
]

function names(...found: readonly string[]): unknown {
  return { kind: 'PodList', items: found.map((name) => ({ metadata: { name } })) }
}

const selections: Readonly<Record<string, readonly string[]>> = {
  'labelSelector=app=web': ['a'],
  'labelSelector=app!=web': ['b', 'c'],
  'labelSelector=app in (web,db),tier': ['a'],
  'labelSelector=!app': ['b'],
  'labelSelector=app notin (db)': ['a', 'b'],
  'fieldSelector=spec.nodeName=n1': ['b'],
  'fieldSelector=spec.nodeName=': ['a', 'c'],
  'fieldSelector=spec.nodeName!=n1': ['a', 'c'],
  'fieldSelector=status.phase=Running': ['b'],
  'fieldSelector=metadata.name=c': ['c'],
  'fieldSelector=metadata.name=c,': ['c'],
  'fieldSelector=spec.nodeName=n1\\,n2': [],
  'fieldSelector=status.podIP=10.0.0.1': ['b'],
  'fieldSelector=spec.restartPolicy==Always,status.phase!=Running': ['a', 'c'],
}

const badQueries: readonly string[] = [
  'labelSelector=a b',
  'labelSelector=app in web',
  'fieldSelector=spec.image=x',
  'fieldSelector=spec.nodeName',
  'fieldSelector=spec.nodeName=a=b',
  String.raw`fieldSelector=spec.nodeName=a\b`,
  'fieldSelector=spec.nodeName=a\\',
  'fieldSelector=a!b=c',
  'fieldSelector==c',
  'limit=many',
  'continue=nonsense',
  'resourceVersionMatch=Exact',
  'resourceVersion=abc',
]

function query(text: string): Readonly<Record<string, string>> {
  const at = text.indexOf('=')
  return { [text.slice(0, at)]: text.slice(at + 1) }
}

function added(name: string): unknown {
  return { type: 'ADDED', object: { metadata: { name } } }
}

export const reading: readonly Scenario[] = [
  {
    title: 'lists are sorted by name and can be selected from',
    steps: [
      ...three,
      get(pods, { holds: names('a', 'b', 'c') }),
      ...Object.entries(selections).map(([selector, found]) =>
        get(pods, { query: query(selector), holds: names(...found) }),
      ),
    ],
  },
  {
    title: 'queries that are refused',
    steps: badQueries.map((bad) =>
      get(pods, {
        query: query(bad),
        status: bad === 'resourceVersionMatch=Exact' ? 422 : 400,
        ...(bad === 'continue=nonsense'
          ? { differs: [{ at: 'body.message', why: 'Go names the byte at which it stopped' }] }
          : {}),
      }),
    ),
  },
  {
    title: 'a list comes in pages',
    steps: [
      ...three,
      get(pods, {
        query: { limit: '2' },
        save: 'page',
        holds: { ...(names('a', 'b') as object), metadata: { remainingItemCount: 1 } },
      }),
      get(pods, {
        query: { limit: '2', continue: '<page.metadata.continue>' },
        holds: names('c'),
      }),
      get(pods, { query: { limit: '2', labelSelector: 'app' }, holds: names('a', 'c') }),
      get(pods, { query: { limit: '500', resourceVersion: '0' }, holds: names('a', 'b', 'c') }),
    ],
  },
  {
    title: 'pods as tables',
    steps: [
      ...three,
      get(pods, { accept: table, holds: { kind: 'Table' } }),
      get(`${pods}/b`, { accept: table, holds: { kind: 'Table' } }),
      get(pods, { accept: table, query: { includeObject: 'None' }, holds: { kind: 'Table' } }),
      get(`${pods}/nobody`, { accept: table, status: 404, holds: { kind: 'Status' } }),
    ],
  },
  {
    title: 'only metadata',
    steps: [
      post(pods, { body: pod('a') }),
      get(pods, { accept: metadataOnly, holds: { kind: 'PartialObjectMetadataList' } }),
    ],
  },
  {
    title: 'an unknown representation',
    steps: [
      get(pods, {
        accept: 'text/html',
        status: 406,
        differs: [{ at: 'body.message', why: 'the sandbox answers in JSON only' }],
      }),
    ],
  },
  {
    title: 'missing resources',
    steps: [
      get('/api/v1/namespaces/<ns>/nothings', { status: 404 }),
      get('/apis/nothing.example/v1/things', { status: 404 }),
      get(`${pods}/nobody`, {
        status: 404,
        holds: { reason: 'NotFound', details: { name: 'nobody' } },
      }),
      post(`${pods}/nobody`, { body: pod('nobody'), status: 405 }),
      get('/api/v1/namespaces/nowhere/pods', { holds: { items: [] } }),
    ],
  },
  {
    title: 'bodies of unsupported content types',
    steps: [
      post(pods, { body: pod('web'), type: 'text/plain', status: 415 }),
      post(pods, { body: pod('web') }),
      { ...patch('merge', `${pods}/web`, {}), type: 'application/json', status: 415 },
    ],
  },
  {
    title: 'a watch sends existing objects, then changes, in order',
    steps: [
      post(pods, { body: pod('a') }),
      watch('pods', pods),
      events('pods', [{ type: 'ADDED', object: { metadata: { name: 'a' } } }]),
      post(pods, { body: pod('b') }),
      patch('merge', `${pods}/a`, { metadata: { labels: { x: 'y' } } }),
      remove(`${pods}/b`),
      events('pods', [
        { type: 'ADDED', object: { metadata: { name: 'b' } } },
        { type: 'MODIFIED', object: { metadata: { name: 'a' } } },
        { type: 'MODIFIED', object: { metadata: { name: 'b' } } },
        { type: 'DELETED', object: { metadata: { name: 'b' } } },
      ]),
    ],
  },
  {
    title: 'a watch from the version of a list sends only later changes',
    steps: [
      post(pods, { body: pod('a') }),
      get(pods, { save: 'list' }),
      post(pods, { body: pod('b') }),
      watch('pods', pods, { resourceVersion: '<list.metadata.resourceVersion>' }),
      events('pods', [{ type: 'ADDED', object: { metadata: { name: 'b' } } }]),
    ],
  },
  {
    title: 'objects that enter and leave a selection are ADDED and DELETED',
    steps: [
      post(pods, { body: pod('a') }),
      watch('pods', pods, { labelSelector: 'x=y' }),
      patch('merge', `${pods}/a`, { metadata: { labels: { x: 'y' } } }),
      patch('merge', `${pods}/a`, { metadata: { labels: { x: 'z' } } }),
      events('pods', [
        { type: 'ADDED', object: { metadata: { labels: { x: 'y' } } } },
        { type: 'DELETED', object: { metadata: { name: 'a' } } },
      ]),
    ],
  },
  {
    title: 'the old paths of watches',
    steps: [
      ...three,
      watch('all', '/api/v1/watch/namespaces/<ns>/pods', { labelSelector: 'app' }),
      events('all', ['a', 'c'].map(added)),
      watch('one', '/api/v1/watch/namespaces/<ns>/pods/b', { watch: 'false' }),
      events('one', [added('b')]),
      watch('pods', '/api/v1/watch/pods', { fieldSelector: 'metadata.namespace=<ns>' }),
      events('pods', ['a', 'b', 'c'].map(added)),
      watch('named', '/api/v1/watch/namespaces/<ns>/pods/b', { fieldSelector: 'metadata.name=b' }),
      events('named', [added('b')]),
      watch('deployments', '/apis/apps/v1/watch/namespaces/<ns>/deployments', {
        timeoutSeconds: '1',
        resourceVersion: '0',
      }),
      events('deployments', ['the end']),
      watch('namespace', '/api/v1/watch/namespaces/<ns>'),
      events('namespace', [{ type: 'ADDED', object: { kind: 'Namespace' } }]),
      ...[
        { fieldSelector: 'metadata.name=c' },
        { fieldSelector: 'spec.nodeName=n1' },
        { fieldSelector: 'x=y' },
      ].map((query) => get('/api/v1/watch/namespaces/<ns>/pods/b', { query, status: 400 })),
      post('/api/v1/watch/namespaces/<ns>/pods', { body: {}, status: 405 }),
      remove('/api/v1/watch/namespaces/<ns>/pods/b', { status: 405 }),
      get('/api/v1/watch/namespaces/<ns>/pods/b/status', { status: 404 }),
      get('/api/v1/watch/namespaces/<ns>/gizmos', { status: 404 }),
      get('/api/v1/proxy/namespaces/<ns>/pods/b', { status: 404 }),
    ],
  },
  {
    title: 'a watch of the pods of one node',
    steps: [
      watch('pods', '/api/v1/pods', { fieldSelector: 'spec.nodeName=<ns>-n1' }),
      post(pods, { body: boundPod('other', 'n9') }),
      post(pods, { body: boundPod('web', '<ns>-n1') }),
      events('pods', [{ type: 'ADDED', object: { metadata: { name: 'web' } } }]),
    ],
  },
  {
    title: 'a list as a watch ends with its bookmark',
    steps: [
      post(pods, { body: pod('a') }),
      watch('pods', pods, {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      }),
      events('pods', [
        { type: 'ADDED', object: { metadata: { name: 'a' } } },
        {
          type: 'BOOKMARK',
          object: {
            metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
            spec: { containers: null },
          },
        },
      ]),
    ],
  },
  {
    title: 'a watch as a table sends rows',
    steps: [
      post(pods, { body: pod('a') }),
      watch('pods', pods, {}, table),
      events('pods', [{ type: 'ADDED', object: { kind: 'Table' } }]),
    ],
  },
  {
    title: 'a watch from an expired version gets 410',
    onlySandbox: 'a real server keeps every event for 75 seconds, however many there are',
    steps: [
      ...Array.from({ length: eventsKept + 1 }, (_, index) =>
        post(configMaps, { body: { metadata: { name: `m${index}` } } }),
      ),
      watch('maps', configMaps, { resourceVersion: '1' }),
      events('maps', [{ type: 'ERROR', object: { kind: 'Status', code: 410 } }]),
    ],
  },
]
