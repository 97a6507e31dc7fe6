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
  web,
  type Scenario,
} from '../exchange.ts'

const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' }
const grace = (seconds: number): unknown => ({ ...deleteOptions, gracePeriodSeconds: seconds })

function event(type: string, deletionGracePeriodSeconds?: number): unknown {
  const metadata = deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }
  return { type, object: { metadata: { name: 'web', ...metadata } } }
}

const created = [watch('pods', pods), post(pods, { body: boundPod('web'), save: 'web' })]

function eviction(more: Readonly<Record<string, unknown>> = {}): unknown {
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web' }, ...more }
}

export const deletion: readonly Scenario[] = [
  {
    title: 'a deletion with the pod’s own grace, and its completion by the kubelet',
    steps: [
      ...created,
      remove(web, { holds: { metadata: { deletionGracePeriodSeconds: 30, generation: 2 } } }),
      get(web, { holds: { metadata: { deletionGracePeriodSeconds: 30 } } }),
      remove(web, {
        body: {
          gracePeriodSeconds: 0,
          preconditions: { uid: '<web.metadata.uid>' },
        },
      }),
      get(web, { status: 404, holds: { reason: 'NotFound' } }),
      remove(web, { status: 404, holds: { reason: 'NotFound' } }),
      events('pods', [
        event('ADDED'),
        event('MODIFIED', 30),
        event('MODIFIED', 0),
        event('DELETED', 0),
      ]),
    ],
  },
  {
    title: 'a deletion with a grace period, which can be shortened but not extended',
    steps: [
      ...created,
      remove(web, { body: grace(10), holds: { metadata: { deletionGracePeriodSeconds: 10 } } }),
      // The same again is no write.
      remove(web, { body: grace(10), holds: { metadata: { deletionGracePeriodSeconds: 10 } } }),
      remove(web, { body: grace(20), holds: { metadata: { deletionGracePeriodSeconds: 10 } } }),
      remove(web, { holds: { metadata: { deletionGracePeriodSeconds: 10 } } }),
      remove(web, { body: grace(3), holds: { metadata: { deletionGracePeriodSeconds: 3 } } }),
      events('pods', [event('ADDED'), event('MODIFIED', 10), event('MODIFIED', 3)]),
    ],
  },
  {
    title: 'deletion by force',
    steps: [
      ...created,
      remove(web, { body: grace(0) }),
      get(web, { status: 404 }),
      events('pods', [event('ADDED'), event('MODIFIED', 0), event('DELETED', 0)]),
    ],
  },
  {
    title: 'deletion of an unscheduled pod is immediate',
    steps: [
      watch('pods', pods),
      post(pods, { body: pod('web') }),
      remove(web),
      get(web, { status: 404 }),
      events('pods', [event('ADDED'), event('MODIFIED', 0), event('DELETED', 0)]),
    ],
  },
  {
    title: 'deletion of a terminated pod is immediate',
    steps: [
      ...created,
      patch('strategic', `${web}/status`, { status: { phase: 'Succeeded' } }),
      remove(web),
      get(web, { status: 404 }),
    ],
  },
  {
    title: 'a negative grace period in a deletion becomes one second',
    steps: [
      ...created,
      remove(web, { body: grace(-1), holds: { metadata: { deletionGracePeriodSeconds: 1 } } }),
    ],
  },
  {
    title: 'grace in the query',
    steps: [
      ...created,
      remove(web, {
        query: { gracePeriodSeconds: '4' },
        holds: { metadata: { deletionGracePeriodSeconds: 4 } },
      }),
    ],
  },
  {
    title: 'preconditions of a deletion',
    steps: [
      ...created,
      remove(web, {
        body: { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      remove(web, {
        body: { preconditions: { resourceVersion: '<web.metadata.resourceVersion>' } },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      remove(web, { body: { preconditions: { uid: '<web.metadata.uid>' } } }),
    ],
  },
  {
    title: 'empty preconditions, as a kubelet deletes an orphaned mirror',
    steps: [...created, remove(web, { body: { gracePeriodSeconds: 0, preconditions: {} } })],
  },
  {
    title: 'a dry deletion changes nothing',
    steps: [
      ...created,
      remove(web, { query: { dryRun: 'All' } }),
      get(web, { holds: { metadata: { generation: 1 } } }),
    ],
  },
  {
    title: 'invalid delete options',
    steps: [
      ...created,
      remove(web, {
        body: { ...deleteOptions, propagationPolicy: 'Sideways' },
        status: 422,
        holds: { reason: 'Invalid' },
      }),
      remove(web, {
        body: { ...deleteOptions, gracePeriodSeconds: 'long' },
        status: 500,
        holds: { status: 'Failure' },
      }),
    ],
  },
  {
    title: 'a finalizer holds a pod until it is removed',
    steps: [
      watch('pods', pods),
      post(pods, { body: pod('web', { metadata: { finalizers: ['example.com/hold'] } }) }),
      remove(web, { holds: { metadata: { deletionGracePeriodSeconds: 0 } } }),
      get(web, { holds: { metadata: { finalizers: ['example.com/hold'] } } }),
      patch(
        'merge',
        web,
        { metadata: { finalizers: ['example.com/hold', 'example.com/new'] } },
        {
          status: 422,
          holds: { reason: 'Invalid' },
        },
      ),
      patch('merge', web, { metadata: { finalizers: null } }),
      get(web, { status: 404 }),
      events('pods', [
        event('ADDED'),
        event('MODIFIED', 0),
        { type: 'DELETED', object: { metadata: { finalizers: ['example.com/hold'] } } },
      ]),
    ],
  },
  {
    title: 'the name of a terminating object stays in use',
    steps: [
      ...created,
      remove(web),
      post(pods, { body: boundPod('web'), status: 409, holds: { reason: 'AlreadyExists' } }),
    ],
  },
  {
    title: 'a collection is deleted by its labels',
    steps: [
      post(pods, { body: pod('one', { metadata: { labels: { a: 'b' } } }) }),
      post(pods, { body: pod('two') }),
      remove(pods, {
        query: { labelSelector: 'a=b' },
        holds: { kind: 'PodList', items: [{ metadata: { name: 'one', generation: 1 } }] },
      }),
      get(pods, { holds: { items: [{ metadata: { name: 'two' } }] } }),
    ],
  },
  {
    title: 'eviction through the API',
    steps: [
      ...created,
      post(`${web}/eviction`, { body: eviction(), holds: { kind: 'Status', status: 'Success' } }),
      get(web, {
        holds: {
          metadata: { deletionGracePeriodSeconds: 30 },
          status: { conditions: [{ type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }] },
        },
      }),
      post(`${web}/eviction`, { body: eviction(), holds: { status: 'Success' } }),
      get(web, { holds: { metadata: { deletionGracePeriodSeconds: 30 } } }),
    ],
  },
  {
    title: 'eviction with options',
    steps: [
      ...created,
      post(`${web}/eviction`, {
        body: eviction({ deleteOptions: { dryRun: ['All'] } }),
        holds: { status: 'Success' },
      }),
      get(web, { holds: { metadata: { generation: 1 } } }),
      post(`${web}/eviction`, {
        body: eviction({
          deleteOptions: { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } },
        }),
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      post(`${web}/eviction`, {
        body: eviction({ metadata: { name: 'other' } }),
        status: 400,
        holds: { reason: 'BadRequest' },
      }),
      post(`${web}/eviction`, {
        body: eviction({
          deleteOptions: { gracePeriodSeconds: 0, preconditions: { uid: '<web.metadata.uid>' } },
        }),
      }),
      post(`${web}/eviction`, { body: eviction(), status: 404, holds: { reason: 'NotFound' } }),
    ],
  },
]
