import { get, patch, pod, pods, post, put, web, type Scenario } from '../exchange.ts'

const since = '2024-01-01T00:00:00Z'
const burstable = { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } }

function podWith(resources: object, more: object = {}, spec: object = {}): unknown {
  const container = { name: 'c', image: 'registry.example/app:1', resources, ...more }
  return pod('web', { spec: { nodeName: 'n1', containers: [container], ...spec } })
}

function resize(resources: object, options: Parameters<typeof patch>[3] = {}) {
  const containers = [{ name: 'c', resources }]
  return patch('strategic', `${web}/resize`, { spec: { containers } }, options)
}

function refused(field: string, text: string): NonNullable<Parameters<typeof patch>[3]> {
  return {
    status: 422,
    holds: {
      reason: 'Invalid',
      message: expectText(field, text),
      details: { causes: [{ field }] },
    },
  }
}

function expectText(field: string, text: string): string {
  return `Pod "web" is invalid: ${field}: ${text}`
}

const status = (resources: object | undefined): unknown => ({
  metadata: { uid: '<web.metadata.uid>' },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'c',
        image: 'registry.example/app:1',
        imageID: 'sha256:1',
        containerID: 'containerd://1',
        ready: true,
        restartCount: 0,
        lastState: {},
        state: { running: { startedAt: since } },
        ...(resources === undefined ? {} : { resources }),
      },
    ],
  },
})

const created = post(pods, { body: podWith(burstable), save: 'web' })

export const resizes: readonly Scenario[] = [
  {
    title: 'CPU and memory change, with a new generation, and nothing else',
    steps: [
      created,
      get(`${web}/resize`, { holds: { kind: 'Pod', metadata: { generation: 1 } } }),
      resize(
        { requests: { cpu: '0.25' }, limits: { memory: '0.25Gi' } },
        {
          holds: {
            metadata: { generation: 2 },
            spec: {
              containers: [
                {
                  resources: {
                    requests: { cpu: '250m', memory: '64Mi' },
                    limits: { memory: '256Mi' },
                  },
                },
              ],
            },
          },
        },
      ),
      resize({ requests: { cpu: '250m' } }, { holds: { metadata: { generation: 2 } } }),
      patch(
        'strategic',
        `${web}/resize`,
        {
          metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e.example/f'] },
          spec: {
            activeDeadlineSeconds: 7,
            containers: [
              { name: 'c', image: 'registry.example/app:2', resources: { limits: { cpu: '1' } } },
            ],
          },
        },
        {
          holds: {
            metadata: { generation: 3 },
            spec: {
              containers: [
                {
                  image: 'registry.example/app:1',
                  resources: { limits: { cpu: '1', memory: '256Mi' } },
                },
              ],
            },
          },
        },
      ),
    ],
  },
  {
    title: 'resource requests and limits are not removed',
    steps: [
      created,
      resize(
        { requests: { cpu: null } },
        refused(
          'spec.containers[0].resources.requests',
          'Forbidden: resource requests cannot be removed',
        ),
      ),
      resize(
        { limits: { memory: null } },
        refused(
          'spec.containers[0].resources.limits',
          'Forbidden: resource limits cannot be removed',
        ),
      ),
    ],
  },
  {
    title: 'the QoS class stays, other resources stay, containers stay',
    steps: [
      created,
      resize({ requests: { cpu: '1', memory: '128Mi' }, limits: { cpu: '1' } }, { status: 422 }),
      resize({ requests: { 'ephemeral-storage': '1Gi' } }, { status: 422 }),
      patch(
        'json',
        `${web}/resize`,
        [{ op: 'replace', path: '/spec/containers/0/name', value: 'd' }],
        { status: 422 },
      ),
      patch(
        'strategic',
        `${web}/resize`,
        { spec: { containers: [{ name: 'd', image: 'registry.example/app:1' }] } },
        { status: 422 },
      ),
      resize({ requests: { memory: '1Gi' } }, { status: 422 }),
      resize({ requests: { cpu: '-1' } }, { status: 422 }),
    ],
  },
  {
    title: 'sidecars can be resized, other init containers cannot',
    steps: [
      post(pods, {
        body: podWith(
          burstable,
          {},
          {
            initContainers: [
              { name: 'i', image: 'registry.example/app:1', resources: burstable },
              {
                name: 's',
                image: 'registry.example/app:1',
                resources: burstable,
                restartPolicy: 'Always',
              },
            ],
          },
        ),
      }),
      patch(
        'strategic',
        `${web}/resize`,
        { spec: { initContainers: [{ name: 's', resources: { requests: { cpu: '2' } } }] } },
        { holds: { metadata: { generation: 2 } } },
      ),
      patch(
        'strategic',
        `${web}/resize`,
        { spec: { initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }] } },
        { status: 422 },
      ),
    ],
  },
  {
    title: 'mirrors, pods with resources of their own and pods on old nodes are not resized',
    steps: [
      created,
      patch('strategic', `${web}/status`, status(undefined)),
      resize({ requests: { cpu: '2' } }, { status: 422 }),
      patch('strategic', `${web}/status`, status(burstable)),
      resize({ requests: { cpu: '2' } }, { holds: { metadata: { generation: 2 } } }),
      post(pods, {
        body: pod('whole', {
          spec: {
            resources: { requests: { cpu: '1' } },
            containers: [{ name: 'c', image: 'registry.example/app:1' }],
          },
        }),
      }),
      patch(
        'strategic',
        `${pods}/whole/resize`,
        { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } },
        { status: 422 },
      ),
      patch('strategic', `${pods}/none/resize`, {}, { status: 404 }),
    ],
  },
  {
    title: 'resize policies are checked, and change with a resize only as they were',
    steps: [
      post(pods, {
        body: podWith(burstable, {
          resizePolicy: [
            { resourceName: 'cpu', restartPolicy: 'Sometimes' },
            { resourceName: 'cpu', restartPolicy: 'NotRequired' },
            { resourceName: 'gpu', restartPolicy: 'RestartContainer' },
          ],
        }),
        status: 422,
      }),
      post(pods, {
        body: podWith(
          burstable,
          { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
          { restartPolicy: 'Never' },
        ),
        status: 422,
      }),
      post(pods, {
        body: podWith(burstable, {
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
        }),
        save: 'web',
      }),
      patch(
        'json',
        `${web}/resize`,
        [
          {
            op: 'replace',
            path: '/spec/containers/0/resizePolicy/0/restartPolicy',
            value: 'NotRequired',
          },
        ],
        { status: 422 },
      ),
      put(`${web}/resize`, {
        body: podWith(
          { requests: { cpu: '1', memory: '64Mi' }, limits: { memory: '128Mi' } },
          { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
        ),
        holds: { metadata: { generation: 2 } },
      }),
    ],
  },
  {
    title: 'restart rules of containers that are resized are dropped: their feature gate is off',
    steps: [
      post(pods, {
        body: podWith(burstable, {
          restartPolicy: 'Never',
          restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [7] } }],
        }),
        holds: { spec: { containers: [{ name: 'c' }] } },
      }),
      get(web, { holds: { metadata: { generation: 1 } } }),
      resize({ requests: { cpu: '250m' } }, { holds: { metadata: { generation: 2 } } }),
    ],
  },
]
