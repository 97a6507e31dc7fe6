import { expect } from 'vitest'
import { get, patch, pod, pods, post, put, remove, web, type Scenario } from '../exchange.ts'

const tokenMountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const tokenSource = { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }

/** A pod that leaves it to its service account whether a token is mounted. */
function automounting(spec: object, name = 'web'): unknown {
  return pod(name, { spec: { automountServiceAccountToken: undefined, ...spec } })
}

const invalid = { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422 }

/** Invalid pods, by their problem. */
const refused: Readonly<Record<string, unknown>> = {
  'no name': pod(''),
  'a name with capitals': pod('Web'),
  'a label that is none': pod('web', { metadata: { labels: { 'a b': 'x' } } }),
  'no containers': pod('web', { spec: { containers: [] } }),
  'a container without a name and an image': pod('web', { spec: { containers: [{}] } }),
  'two containers of one name': pod('web', {
    spec: {
      containers: [
        { name: 'c', image: 'x' },
        { name: 'c', image: 'x' },
      ],
    },
  }),
  'a restart policy that is none': pod('web', { spec: { restartPolicy: 'Sometimes' } }),
  'a deadline of zero': pod('web', { spec: { activeDeadlineSeconds: 0 } }),
  'a port out of range': pod('web', {
    spec: { containers: [{ name: 'c', image: 'x', ports: [{ containerPort: 70000 }] }] },
  }),
  'more asked for than allowed': pod('web', {
    spec: {
      containers: [
        {
          name: 'c',
          image: 'x',
          resources: { requests: { cpu: '2' }, limits: { cpu: '1' } },
        },
      ],
    },
  }),
  'a mount without a volume': pod('web', {
    spec: {
      containers: [{ name: 'c', image: 'x', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
    },
  }),
  'a probe without a handler': pod('web', {
    spec: { containers: [{ name: 'c', image: 'x', livenessProbe: { periodSeconds: 5 } }] },
  }),
  'a toleration that is none': pod('web', {
    spec: { tolerations: [{ key: 'k', operator: 'Exists', value: 'v' }] },
  }),
  'a pull policy that is none': pod('web', {
    spec: { containers: [{ name: 'c', image: 'x', imagePullPolicy: 'Sometime' }] },
  }),
  'a node name that is none': pod('web', { spec: { nodeName: 'No_de' } }),
}

/** Bodies that cannot be read as a pod. */
const unreadable: Readonly<Record<string, unknown>> = {
  'a text where a number is wanted': pod('web', { spec: { terminationGracePeriodSeconds: '30' } }),
  'a quantity that is none': pod('web', {
    spec: { containers: [{ name: 'c', image: 'x', resources: { limits: { cpu: 'much' } } }] },
  }),
  'another kind': { apiVersion: 'v1', kind: 'Node', metadata: { name: 'web' } },
  'another version': { apiVersion: 'v2', kind: 'Pod', metadata: { name: 'web' } },
}

function gate(name: string) {
  return { name: `gates.test/${name}` }
}

/** Nodes that have this label. */
function affinity(key: string) {
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
      },
    },
  }
}

// A real server shows the change as Go prints its own types.
const ownDiff = ['body.message', 'body.details.causes.0.message'].map((at) => ({
  at,
  why: 'the change is shown in the API’s words, not in Go’s',
}))

const keyed = {
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchLabels: { app: 'web' } },
  matchLabelKeys: ['version', 'missing'],
}

export const podCreation: readonly Scenario[] = [
  {
    title: 'label keys become requirements of the selectors',
    steps: [
      post(pods, {
        body: pod('keyed', {
          metadata: { labels: { version: '2', tier: 'a' } },
          spec: {
            affinity: {
              podAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { weight: 1, podAffinityTerm: keyed },
                ],
              },
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  { ...keyed, mismatchLabelKeys: ['tier'] },
                ],
              },
            },
            topologySpreadConstraints: [
              { ...keyed, maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' },
            ],
          },
        }),
        holds: {
          spec: {
            topologySpreadConstraints: [
              {
                labelSelector: {
                  matchExpressions: [{ key: 'version', operator: 'In', values: ['2'] }],
                },
              },
            ],
          },
        },
      }),
    ],
  },
  {
    title: 'a pod gets its defaults',
    steps: [
      post(pods, {
        body: pod('web'),
        save: 'web',
        holds: {
          metadata: { generation: 1 },
          spec: {
            restartPolicy: 'Always',
            dnsPolicy: 'ClusterFirst',
            schedulerName: 'default-scheduler',
          },
          status: { phase: 'Pending', qosClass: 'BestEffort' },
        },
      }),
      get(web, { holds: { metadata: { name: 'web' } } }),
    ],
  },
  {
    title: 'a full pod gets its defaults',
    steps: [
      post(pods, {
        body: pod('full', {
          metadata: { labels: { app: 'web' }, annotations: { note: 'hello' } },
          spec: {
            initContainers: [{ name: 'side', image: 'x:2', restartPolicy: 'Always' }],
            containers: [
              {
                name: 'c',
                image: 'registry.example/app',
                ports: [{ containerPort: 80 }],
                env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
                resources: { limits: { cpu: '500m', memory: '64Mi' } },
                readinessProbe: { httpGet: { port: 80 } },
                livenessProbe: { tcpSocket: { port: 80 } },
                lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
              },
            ],
            volumes: [
              { name: 'v', emptyDir: {} },
              { name: 'h', hostPath: { path: '/tmp' } },
              { name: 'm', configMap: { name: 'settings' } },
              { name: 's', secret: { secretName: 'secret' } },
            ],
            tolerations: [{ key: 'k', operator: 'Exists' }],
            terminationGracePeriodSeconds: 5,
          },
        }),
        holds: { status: { qosClass: 'Burstable' } },
      }),
    ],
  },
  {
    title: 'a pod of the host network gets host ports',
    steps: [
      post(pods, {
        body: pod('web', {
          spec: {
            hostNetwork: true,
            containers: [{ name: 'c', image: 'x', ports: [{ containerPort: 80 }] }],
          },
        }),
        holds: { spec: { containers: [{ ports: [{ containerPort: 80, hostPort: 80 }] }] } },
      }),
    ],
  },
  {
    title: 'a generated name, and a name in use',
    steps: [
      post(pods, {
        body: pod('', { metadata: { name: undefined, generateName: 'web-' } }),
        holds: { metadata: { name: expect.stringMatching(/^web-.{5}$/), generateName: 'web-' } },
        differs: [{ at: 'body.metadata.name', why: 'chance' }],
      }),
      post(pods, { body: pod('web') }),
      post(pods, { body: pod('web'), status: 409, holds: { reason: 'AlreadyExists' } }),
    ],
  },
  {
    title: 'a pod mounts the token of its service account by default',
    steps: [
      post(pods, {
        body: automounting({
          initContainers: [
            { name: 'i', image: 'x', volumeMounts: [{ name: 'own', mountPath: '/own' }] },
          ],
          volumes: [{ name: 'own', emptyDir: {} }],
        }),
        holds: {
          spec: {
            serviceAccountName: 'default',
            volumes: [{ name: 'own' }, { projected: { defaultMode: 420 } }],
            containers: [{ volumeMounts: [{ mountPath: tokenMountPath, readOnly: true }] }],
          },
        },
      }),
      // A pod without a container that needs it has no volume of the token.
      post(pods, {
        body: automounting(
          {
            containers: [
              {
                name: 'c',
                image: 'x',
                volumeMounts: [{ name: 'own', mountPath: tokenMountPath }],
              },
            ],
            volumes: [{ name: 'own', emptyDir: {} }],
          },
          'own',
        ),
        holds: { spec: { volumes: [{ name: 'own' }] } },
      }),
      // A volume whose name begins like its own is mounted in its place.
      post(pods, {
        body: automounting({ volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] }, 'mine'),
        holds: { spec: { containers: [{ volumeMounts: [{ name: 'kube-api-access-mine' }] }] } },
      }),
    ],
  },
  {
    title: 'the token is not mounted if the service account says so, but the pod wins',
    steps: [
      post('/api/v1/namespaces/<ns>/serviceaccounts', {
        body: { metadata: { name: 'quiet' }, automountServiceAccountToken: false },
      }),
      post(pods, {
        body: automounting({ serviceAccountName: 'quiet' }),
        holds: { spec: { serviceAccountName: 'quiet' } },
      }),
      post(pods, {
        body: pod('loud', {
          spec: { serviceAccountName: 'quiet', automountServiceAccountToken: true },
        }),
        holds: { spec: { volumes: [{ projected: { defaultMode: 420 } }] } },
      }),
    ],
  },
  {
    title: 'a mirror pod has no service account and no token',
    steps: [
      { serviceAccountName: 'default' },
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] },
      { volumes: [{ name: 'v', projected: { sources: [tokenSource] } }] },
      { imagePullSecrets: [{ name: 's' }] },
    ].map((spec) =>
      post(pods, {
        body: pod('mirror', {
          metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } },
          spec: { nodeName: 'n1', ...spec },
        }),
        status: 403,
        holds: { reason: 'Forbidden' },
      }),
    ),
  },
  {
    title: 'a negative grace period becomes a second',
    steps: [
      post(pods, {
        body: pod('web', { spec: { terminationGracePeriodSeconds: -1, nodeName: 'n1' } }),
        holds: { spec: { terminationGracePeriodSeconds: 1 } },
      }),
      remove(web, { holds: { metadata: { deletionGracePeriodSeconds: 1 } } }),
    ],
  },
  {
    title: 'a pod needs its service account and its priority class',
    steps: [
      post(pods, {
        body: pod('web', { spec: { serviceAccountName: 'nobody' } }),
        status: 403,
        holds: { reason: 'Forbidden' },
      }),
      post(pods, {
        body: pod('web', { spec: { priorityClassName: 'none' } }),
        status: 403,
        holds: { reason: 'Forbidden' },
      }),
      post(pods, {
        body: pod('web', { spec: { priorityClassName: 'system-node-critical' } }),
        holds: { spec: { priority: 2_000_001_000 } },
      }),
    ],
  },
  {
    title: 'a namespace must be there and be the one of the path',
    steps: [
      post('/api/v1/namespaces/nowhere/pods', {
        body: pod('web'),
        status: 404,
        holds: { reason: 'NotFound' },
      }),
      post(pods, {
        body: pod('web', { metadata: { namespace: 'other' } }),
        status: 400,
        holds: { reason: 'BadRequest' },
      }),
    ],
  },
  {
    title: 'a dry run makes nothing',
    steps: [
      post(pods, { body: pod('web'), query: { dryRun: 'All' } }),
      get(web, { status: 404, holds: { reason: 'NotFound' } }),
    ],
  },
  {
    title: 'a field that does not exist',
    steps: [
      post(pods, {
        body: pod('web', { spec: { nme: 1 } }),
        query: { fieldValidation: 'Strict' },
        status: 400,
        holds: { reason: 'BadRequest' },
      }),
      post(pods, { body: pod('web', { spec: { nme: 1 } }) }),
    ],
  },
  ...Object.entries(refused).map(([what, body]): Scenario => ({
    title: `a pod with ${what} is refused`,
    steps: [post(pods, { body, status: 422, holds: invalid })],
  })),
  ...Object.entries(unreadable).map(([what, body]): Scenario => ({
    title: `a pod with ${what} cannot be read`,
    steps: [post(pods, { body, status: 400, holds: { reason: 'BadRequest' } })],
  })),
  {
    title: 'what may be changed of a pod, and what may not',
    steps: [
      post(pods, { body: pod('web'), save: 'web' }),
      patch(
        'strategic',
        web,
        { spec: { containers: [{ name: 'c', image: 'other' }] } },
        {
          holds: { metadata: { generation: 2 } },
        },
      ),
      patch(
        'merge',
        web,
        { metadata: { labels: { a: 'b' } } },
        {
          holds: { metadata: { generation: 2 } },
        },
      ),
      patch(
        'merge',
        web,
        { spec: { activeDeadlineSeconds: 60 } },
        {
          holds: { metadata: { generation: 3 } },
        },
      ),
      patch(
        'merge',
        web,
        { spec: { restartPolicy: 'Never' } },
        { status: 422, holds: invalid, differs: ownDiff },
      ),
      patch('merge', web, { spec: { activeDeadlineSeconds: 90 } }, { status: 422, holds: invalid }),
      patch('merge', web, { metadata: { uid: 'another' } }, { status: 422, holds: invalid }),
      patch('json', web, [{ op: 'replace', path: '/metadata/labels/a', value: 'c' }], {
        holds: { metadata: { labels: { a: 'c' } } },
      }),
      patch('json', web, [{ op: 'remove', path: '/metadata/labels/z' }], {
        status: 422,
        holds: { reason: 'Invalid' },
      }),
      patch('json', web, [{ op: 'test', path: '/metadata/labels/a', value: 'z' }], {
        status: 422,
        holds: { reason: 'Invalid' },
      }),
    ],
  },
  {
    title: 'scheduling gates are reported, may be removed but not added, and prevent a binding',
    steps: [
      post(pods, {
        body: pod('web', { spec: { nodeName: null, schedulingGates: [gate('a'), gate('b')] } }),
        holds: { status: { conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
      }),
      post(`${web}/binding`, {
        body: { metadata: { name: 'web' }, target: { kind: 'Node', name: 'n1' } },
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      patch(
        'merge',
        web,
        { spec: { schedulingGates: [gate('a'), gate('z')] } },
        { status: 422, holds: invalid },
      ),
      patch('merge', web, { spec: { nodeSelector: { a: 'b' } } }),
      patch('merge', web, { spec: { nodeSelector: { a: 'c' } } }, { status: 422, holds: invalid }),
      patch('merge', web, { spec: { affinity: affinity('zone') } }),
      patch(
        'merge',
        web,
        { spec: { affinity: affinity('disk') } },
        { status: 422, holds: invalid, differs: ownDiff },
      ),
      patch('merge', web, { spec: { affinity: null } }, { status: 422, holds: invalid }),
      patch('strategic', web, { spec: { schedulingGates: [{ $patch: 'delete', name: 'a' }] } }),
      patch('merge', web, { spec: { schedulingGates: null } }),
      patch(
        'merge',
        web,
        { spec: { schedulingGates: [gate('a')] } },
        { status: 422, holds: invalid },
      ),
      post(pods, {
        body: pod('both', { spec: { nodeName: 'n1', schedulingGates: [gate('a')] } }),
        status: 422,
        holds: invalid,
      }),
    ],
  },
  {
    title: 'a replacement must be of the latest version',
    steps: [
      post(pods, { body: pod('web'), save: 'web' }),
      patch('merge', web, { metadata: { labels: { a: 'b' } } }),
      put(web, {
        body: pod('web', { metadata: { resourceVersion: '<web.metadata.resourceVersion>' } }),
        status: 409,
        holds: { reason: 'Conflict' },
      }),
      patch(
        'merge',
        web,
        { metadata: { resourceVersion: '<web.metadata.resourceVersion>', labels: { a: 'c' } } },
        { status: 409, holds: { reason: 'Conflict' } },
      ),
      put(web, { body: pod('other'), status: 400, holds: { reason: 'BadRequest' } }),
      put(`${pods}/nobody`, { body: pod('nobody'), status: 404, holds: { reason: 'NotFound' } }),
      patch('merge', `${pods}/nobody`, {}, { status: 404, holds: { reason: 'NotFound' } }),
    ],
  },
]
