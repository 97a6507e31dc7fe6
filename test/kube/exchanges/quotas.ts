import { get, patch, pod, pods, post, remove, type Scenario } from '../exchange.ts'

const quotas = '/api/v1/namespaces/<ns>/resourcequotas'
const ranges = '/api/v1/namespaces/<ns>/limitranges'
const maps = '/api/v1/namespaces/<ns>/configmaps'
const services = '/api/v1/namespaces/<ns>/services'
const claims = '/api/v1/namespaces/<ns>/persistentvolumeclaims'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const invalid = { status: 422, holds: { reason: 'Invalid' } }
const forbidden = { status: 403, holds: { reason: 'Forbidden' } }

type Fields = Readonly<Record<string, unknown>>

function quota(spec: Fields, name = 'q'): unknown {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec }
}

function range(limits: unknown, name = 'r'): unknown {
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec: { limits } }
}

function limited(name: string, resources: Fields, more: Fields = {}): unknown {
  const image = 'registry.example/app:1'
  return pod(name, { spec: { containers: [{ name: 'c', image, resources }], ...more } })
}

function map(name: string): unknown {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }
}

function claim(storage: string): unknown {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } }
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec }
}

/** The status that a quota controller writes; there is none on the real server. */
function observed(hard: Fields, used: Fields, name = 'q') {
  return patch('merge', `${quotas}/${name}/status`, { status: { hard, used } })
}

/** Resource quotas and limit ranges, and the admission of what they limit. */
export const quotaExchanges: readonly Scenario[] = [
  {
    title: 'a quota admits pods until it is used up',
    steps: [
      post(quotas, {
        body: quota({ hard: { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' } }),
      }),
      observed(
        { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' },
        { pods: '0', 'requests.cpu': '0', 'limits.memory': '0' },
      ),
      post(pods, { body: pod('plain'), ...forbidden, isEventual: true }),
      post(pods, {
        body: limited('big', { requests: { cpu: '1500m' }, limits: { memory: '2Gi', cpu: '2' } }),
        ...forbidden,
      }),
      post(pods, { body: limited('one', { limits: { cpu: '500m', memory: '512Mi' } }) }),
      get(`${quotas}/q`, {
        holds: {
          status: { used: { pods: '1', 'requests.cpu': '500m', 'limits.memory': '512Mi' } },
        },
        isEventual: true,
      }),
      post(pods, {
        body: limited('two', { limits: { cpu: '600m', memory: '100Mi' } }),
        ...forbidden,
      }),
      post(pods, { body: limited('two', { limits: { cpu: '100m', memory: '100Mi' } }) }),
      post(pods, {
        body: limited('three', { limits: { cpu: '100m', memory: '100Mi' } }),
        ...forbidden,
      }),
      post(pods, { body: limited('No_Name', { limits: { cpu: '100m' } }), ...invalid }),
      get(quotas, { accept: table }),
      remove(`${pods}/one`, { query: { gracePeriodSeconds: '0' } }),
    ],
  },
  {
    title: 'a quota counts objects, node ports and storage',
    steps: [
      post(quotas, {
        body: quota({
          hard: {
            configmaps: '1',
            'count/configmaps': '1',
            'services.nodeports': '1',
            'requests.storage': '1Gi',
          },
        }),
      }),
      observed(
        {
          configmaps: '1',
          'count/configmaps': '1',
          'services.nodeports': '1',
          'requests.storage': '1Gi',
        },
        {
          configmaps: '0',
          'count/configmaps': '0',
          'services.nodeports': '0',
          'requests.storage': '0',
        },
      ),
      post(claims, { body: claim('2Gi'), ...forbidden, isEventual: true }),
      post(claims, { body: claim('1Gi') }),
      post(maps, { body: map('a') }),
      post(maps, { body: map('b'), ...forbidden }),
      post(maps, { body: map('b'), query: { dryRun: 'All' }, ...forbidden }),
      post(services, {
        body: {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'two' },
          spec: {
            type: 'NodePort',
            ports: [
              { name: 'a', port: 1 },
              { name: 'b', port: 2 },
            ],
          },
        },
        ...forbidden,
      }),
    ],
  },
  {
    title: 'a quota with a scope counts only the pods in it',
    steps: [
      post(quotas, { body: quota({ hard: { pods: '0' }, scopes: ['BestEffort'] }) }),
      observed({ pods: '0' }, { pods: '0' }),
      post(pods, { body: pod('plain'), ...forbidden, isEventual: true }),
      post(pods, { body: limited('one', { requests: { cpu: '1' } }) }),
      patch('merge', `${quotas}/q`, { spec: { scopes: ['Terminating'] } }, invalid),
      patch('merge', `${quotas}/q`, { spec: { hard: { pods: '3' } } }),
    ],
  },
  {
    title: 'an invalid quota is refused',
    steps: [
      { hard: { pods: '-1' } },
      { hard: { pods: '1500m' } },
      { hard: { gizmos: '1' } },
      { hard: { 'no/such/key': '1' } },
      { hard: { cpu: '1' }, scopes: ['BestEffort'] },
      { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      { hard: { pods: '1' }, scopes: ['Sometimes'] },
    ].map((spec) => post(quotas, { body: quota(spec), ...invalid })),
  },
  {
    title: 'a limit range gives pods their resources and bounds them',
    steps: [
      post(ranges, {
        body: range([
          {
            type: 'Container',
            default: { cpu: '500m' },
            defaultRequest: { cpu: '100m' },
            max: { cpu: '1', memory: '1Gi' },
            min: { cpu: '50m' },
          },
        ]),
      }),
      get(ranges, { accept: table }),
      post(pods, {
        body: limited('odd', { limits: { cpu: '2' } }),
        ...forbidden,
        isEventual: true,
      }),
      post(pods, {
        body: limited('web', {}, { initContainers: [{ name: 'i', image: 'x' }] }),
        holds: { metadata: { annotations: {} } },
      }),
      post(pods, { body: limited('small', { requests: { cpu: '10m' } }), ...forbidden }),
      post(pods, { body: limited('own', { limits: { cpu: '600m', memory: '10Mi' } }) }),
    ],
  },
  {
    title: 'a limit range bounds whole pods, claims and ratios',
    steps: [
      post(ranges, {
        body: range([
          { type: 'Pod', max: { memory: '1Gi' } },
          { type: 'PersistentVolumeClaim', max: { storage: '1Gi' }, min: { storage: '1Mi' } },
          { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
        ]),
      }),
      post(claims, { body: claim('2Gi'), ...forbidden, isEventual: true }),
      post(claims, { body: claim('1Gi') }),
      post(pods, {
        body: limited('ratio', {
          requests: { cpu: '1', memory: '1Mi' },
          limits: { cpu: '3', memory: '2Mi' },
        }),
        ...forbidden,
      }),
      post(pods, {
        body: limited('big', {
          requests: { cpu: '1', memory: '2Gi' },
          limits: { cpu: '1', memory: '2Gi' },
        }),
        ...forbidden,
      }),
    ],
  },
  {
    title: 'an invalid limit range is refused',
    steps: [
      [{ type: 'Thing' }],
      [{ type: 'Pod', default: { cpu: '1' } }],
      [{ type: 'Container' }, { type: 'Container' }],
      [{ type: 'PersistentVolumeClaim' }],
      [{ type: 'Container', max: { gizmos: '1' } }],
      [{ type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } }],
      [{ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }],
      [{ type: 'Container', min: { cpu: '2' }, default: { cpu: '1' } }],
    ].map((limits) => post(ranges, { body: range(limits), ...invalid })),
  },
]
