import {
  boundPod,
  events,
  get,
  patch,
  pod,
  pods,
  post,
  watch,
  web,
  type Scenario,
} from '../exchange.ts'

const bindings = '/api/v1/namespaces/<ns>/bindings'

function binding(metadata: object, target: object = { kind: 'Node', name: 'n1' }): unknown {
  return { apiVersion: 'v1', kind: 'Binding', metadata, target }
}

const status = `${web}/status`
const since = '2024-01-01T00:00:00Z'

function condition(type: string, value: 'True' | 'False', more: object = {}): object {
  return { type, status: value, lastProbeTime: null, lastTransitionTime: since, ...more }
}

const created = post(pods, { body: boundPod('web'), save: 'web' })

const running = {
  metadata: { uid: '<web.metadata.uid>' },
  status: {
    observedGeneration: 1,
    phase: 'Running',
    startTime: since,
    hostIP: '10.0.0.1',
    hostIPs: [{ ip: '10.0.0.1' }],
    podIP: '10.88.0.7',
    podIPs: [{ ip: '10.88.0.7' }],
    conditions: [
      condition('PodReadyToStartContainers', 'True', { observedGeneration: 1 }),
      condition('Initialized', 'True', { observedGeneration: 1 }),
      condition('Ready', 'True', { observedGeneration: 1 }),
      condition('ContainersReady', 'True', { observedGeneration: 1 }),
      condition('PodScheduled', 'True', { observedGeneration: 1 }),
    ],
    containerStatuses: [
      {
        name: 'c',
        image: 'registry.example/app:1',
        imageID: 'sha256:1',
        containerID: 'containerd://1',
        ready: true,
        started: true,
        restartCount: 0,
        lastState: {},
        state: { running: { startedAt: since } },
      },
    ],
  },
}

export const podStatus: readonly Scenario[] = [
  {
    title: 'a kubelet writes a status, then what changed of it',
    steps: [
      watch('pods', pods),
      created,
      patch('strategic', status, running, {
        holds: { metadata: { generation: 1 }, status: { phase: 'Running' } },
      }),
      patch(
        'strategic',
        status,
        {
          metadata: { uid: '<web.metadata.uid>' },
          status: {
            '$setElementOrder/conditions': [
              { type: 'PodReadyToStartContainers' },
              { type: 'Initialized' },
              { type: 'Ready' },
              { type: 'ContainersReady' },
              { type: 'PodScheduled' },
            ],
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ContainersNotReady',
                message: 'containers with unready status: [c]',
              },
            ],
          },
        },
        { holds: { status: { conditions: [{}, {}, { type: 'Ready', status: 'False' }, {}, {}] } } },
      ),
      get(status, { holds: { kind: 'Pod' } }),
      events('pods', [{ type: 'ADDED' }, { type: 'MODIFIED' }, { type: 'MODIFIED' }]),
    ],
  },
  {
    title: 'an unchanged status gives no event',
    steps: [
      created,
      patch('strategic', status, running),
      watch('pods', pods),
      events('pods', [{ type: 'ADDED' }]),
      patch('strategic', status, running),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      events('pods', [{ type: 'MODIFIED', object: { metadata: { labels: { a: 'b' } } } }]),
    ],
  },
  {
    title: 'a status of another pod of the name is refused',
    steps: [
      created,
      patch(
        'strategic',
        status,
        { metadata: { uid: '00000000-0000-0000-0000-000000000000' }, status: { phase: 'Running' } },
        { status: 422, holds: { reason: 'Invalid' } },
      ),
    ],
  },
  {
    title: 'the status subresource changes only the status',
    steps: [
      created,
      patch('strategic', status, {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
        spec: { nodeName: 'other', containers: [{ name: 'c', image: 'other' }] },
        status: { phase: 'Running' },
      }),
      patch(
        'strategic',
        web,
        { status: { phase: 'Failed' } },
        { holds: { status: { phase: 'Running' } } },
      ),
    ],
  },
  {
    title: 'conditions are removed and ordered',
    steps: [
      created,
      patch('strategic', status, running),
      patch('strategic', status, {
        status: {
          '$setElementOrder/conditions': [{ type: 'DisruptionTarget' }, { type: 'Ready' }],
          conditions: [condition('DisruptionTarget', 'True', { reason: 'TerminationByKubelet' })],
        },
      }),
      patch('strategic', status, {
        status: { conditions: [{ $patch: 'delete', type: 'Initialized' }] },
      }),
    ],
  },
  {
    title: 'refused statuses',
    steps: [
      created,
      patch('strategic', status, running),
      patch(
        'merge',
        status,
        { status: { qosClass: 'Guaranteed' } },
        {
          status: 422,
          holds: { reason: 'Invalid' },
        },
      ),
      patch(
        'merge',
        status,
        // The older field wins, so that nothing changes.
        { status: { podIPs: [{ ip: 'no address' }] } },
        { holds: { status: { podIPs: [{ ip: '10.88.0.7' }] } } },
      ),
      patch(
        'merge',
        status,
        { status: { observedGeneration: -1 } },
        {
          status: 422,
          holds: { reason: 'Invalid' },
        },
      ),
    ],
  },
  {
    title: 'a binding sets the node and a condition',
    steps: [
      post(pods, {
        body: {
          metadata: { name: 'web' },
          spec: {
            automountServiceAccountToken: false,
            containers: [{ name: 'c', image: 'x' }],
          },
        },
        save: 'web',
      }),
      post(`${web}/binding`, {
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'web' },
          target: { kind: 'Node', name: 'n1' },
        },
        holds: { status: 'Success' },
      }),
      get(web, {
        holds: {
          spec: { nodeName: 'n1' },
          status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
        },
      }),
      post(`${web}/binding`, {
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'web' },
          target: { kind: 'Node', name: 'n2' },
        },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
    ],
  },
  {
    title: 'a binding of the old path names its pod',
    steps: [
      post(pods, { body: pod('web') }),
      post(bindings, { body: binding({ name: 'none' }), status: 404 }),
      post(bindings, { body: binding({ name: 'web', namespace: 'other' }), status: 400 }),
      post(bindings, { body: binding({ name: 'web' }, { kind: 'Pod', name: '' }), status: 500 }),
      post(bindings, { body: { kind: 'Pod' }, status: 400 }),
      post(`${web}/binding`, { body: binding({ name: 'web', uid: 'other' }), status: 409 }),
      post(bindings, { body: binding({ name: 'web', uid: 'other' }), query: { dryRun: 'All' } }),
      post(bindings, {
        body: binding({ name: 'web', uid: 'other' }),
        holds: { status: 'Success' },
      }),
      get(web, { holds: { spec: { nodeName: 'n1' } } }),
      post(bindings, { body: binding({ name: 'web' }), status: 409 }),
      get(bindings, { status: 405 }),
      get(`${bindings}/web`, { status: 404 }),
      post('/api/v1/bindings', { body: binding({ name: 'web' }), status: 404 }),
    ],
  },
]
