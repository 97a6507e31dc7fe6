import { get, patch, pod, pods, post, put, remove, type Ask, type Scenario } from '../exchange.ts'

const node = '<ns>-n1'
const other = '<ns>-n2'
const space = '/api/v1/namespaces/<ns>'
const secrets = `${space}/secrets`
const configMaps = `${space}/configmaps`
const claims = `${space}/persistentvolumeclaims`
const accounts = `${space}/serviceaccounts`
const volumes = '/api/v1/persistentvolumes'

const forbidden = { status: 403, holds: { reason: 'Forbidden' } }
const asNode = { asNode: node }
const refused = { asNode: node, ...forbidden }

function byName(name: string): { readonly query: Readonly<Record<string, string>> } {
  return { query: { fieldSelector: `metadata.name=${name}` } }
}

function made(path: string, name: string): Ask {
  return post(path, { body: { metadata: { name } } })
}

/** A pod that names one of each, on the first node. */
const user = pod('user', {
  spec: {
    nodeName: node,
    serviceAccountName: 'runner',
    imagePullSecrets: [{ name: 'pull' }],
    volumes: [
      { name: 'a', secret: { secretName: 'mounted' } },
      { name: 'b', configMap: { name: 'files' } },
      { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
      {
        name: 'd',
        projected: {
          sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected' } }],
        },
      },
      {
        name: 'e',
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '1Gi' } },
            },
          },
        },
      },
    ],
    initContainers: [
      {
        name: 'i',
        image: 'x',
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'variable', key: 'k' } } }],
      },
    ],
    containers: [
      {
        name: 'c',
        image: 'x',
        envFrom: [
          { secretRef: { name: 'environment' } },
          { configMapRef: { name: 'environment' } },
        ],
        env: [{ name: 'B', valueFrom: { configMapKeyRef: { name: 'variable', key: 'k' } } }],
      },
    ],
  },
})

const secretNames = ['pull', 'mounted', 'projected', 'variable', 'environment']
const configMapNames = ['files', 'projected', 'variable', 'environment']

const ground: readonly Ask[] = [
  made(accounts, 'runner'),
  ...[...secretNames, 'unnamed'].map((name) => made(secrets, name)),
  ...[...configMapNames, 'unnamed'].map((name) => made(configMaps, name)),
  post(claims, {
    body: {
      metadata: { name: 'claim' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeName: '<ns>-disk',
      },
    },
  }),
  post(volumes, {
    body: {
      metadata: { name: '<ns>-disk' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { namespace: '<ns>', name: 'claim' },
        csi: {
          driver: 'disks.example.com',
          volumeHandle: '7',
          nodePublishSecretRef: { namespace: '<ns>', name: 'unnamed-volume' },
        },
      },
    },
  }),
  made(secrets, 'unnamed-volume'),
  post(pods, { body: user, isEventual: true, save: 'user' }),
  post(pods, { body: pod('elsewhere', { spec: { nodeName: other } }) }),
]

/** A pod with a token for the server and one for a vault. */
function talker(name: string, nodeName: string): unknown {
  const token = { serviceAccountToken: { path: 'token' } }
  const vault = { serviceAccountToken: { path: 'vault', audience: 'vault' } }
  return pod(name, {
    spec: {
      nodeName,
      serviceAccountName: 'runner',
      volumes: [{ name: 'tokens', projected: { sources: [token, vault] } }],
    },
  })
}

function bound(name: string, uid?: string): object {
  const reference = { apiVersion: 'v1', kind: 'Pod', name }
  return { boundObjectRef: { ...reference, ...(uid === undefined ? {} : { uid }) } }
}

function askedFor(spec: object, options: Partial<Ask> = {}): Ask {
  return post(`${accounts}/runner/token`, { body: { spec }, ...asNode, ...options })
}

/** A node may read only the objects that its own pods reference. */
export const nodeGraphExchanges: readonly Scenario[] = [
  {
    title: 'a node reads the secrets and config maps of its own pods only',
    steps: [
      ...ground,
      ...secretNames.map((name) => get(`${secrets}/${name}`, { ...asNode, isEventual: true })),
      ...configMapNames.map((name) => get(`${configMaps}/${name}`, asNode)),
      get(`${secrets}/unnamed`, refused),
      get(`${secrets}/missing`, refused),
      get(`${configMaps}/unnamed`, refused),
      get(`${secrets}/pull`, { asNode: other, ...forbidden }),
      get(`${configMaps}/files`, { asNode: other, ...forbidden }),
      get(secrets, refused),
      get(secrets, { ...refused, ...byName('unnamed') }),
      get(secrets, { ...asNode, ...byName('pull') }),
      get(configMaps, { ...asNode, ...byName('files') }),
      get(configMaps, refused),
      get('/api/v1/secrets', refused),
      get('/api/v1/secrets', { ...refused, ...byName('pull') }),
      post(secrets, { body: { metadata: { name: 'new' } }, ...refused }),
      patch('merge', `${secrets}/pull`, { stringData: { a: 'b' } }, refused),
      put(`${configMaps}/files`, { body: { metadata: { name: 'files' } }, ...refused }),
      remove(`${secrets}/pull`, refused),
      remove(`${pods}/user`, { query: { gracePeriodSeconds: '0' } }),
      get(`${secrets}/pull`, { ...refused, isEventual: true }),
    ],
  },
  {
    title: 'a node watches a secret of its own pods by its name',
    steps: [
      ...ground,
      get(`${secrets}/pull`, { ...asNode, isEventual: true }),
      patch('merge', `${secrets}/pull`, { stringData: { a: 'b' } }),
      get(secrets, {
        ...asNode,
        query: { ...byName('pull').query, watch: 'true', timeoutSeconds: '1' },
      }),
      get(secrets, {
        ...refused,
        query: { ...byName('unnamed').query, watch: 'true', timeoutSeconds: '1' },
      }),
      get(secrets, { ...refused, query: { watch: 'true', timeoutSeconds: '1' } }),
    ],
  },
  {
    title: 'a node reads claims, volumes and service accounts of its own pods',
    steps: [
      ...ground,
      get(`${claims}/claim`, { ...asNode, isEventual: true }),
      get(`${claims}/user-e`, { ...asNode, status: 404 }),
      get(`${claims}/other`, refused),
      get(claims, refused),
      get(claims, { ...refused, ...byName('claim') }),
      get(`${claims}/claim`, { asNode: other, ...forbidden }),
      patch('merge', `${claims}/claim`, { metadata: { labels: { a: 'b' } } }, refused),
      patch(
        'merge',
        `${claims}/claim/status`,
        { status: { capacity: { storage: '1Gi' } } },
        asNode,
      ),
      patch(
        'merge',
        `${claims}/claim/status`,
        { status: { phase: 'Lost' } },
        {
          ...refused,
          differs: [{ at: 'body.message', why: 'Go prints the difference of two structs' }],
        },
      ),
      get(`${claims}/claim/status`, refused),
      get(`${volumes}/<ns>-disk`, { ...asNode, isEventual: true }),
      get(`${secrets}/unnamed-volume`, { ...asNode, isEventual: true }),
      get(`${volumes}/<ns>-other`, refused),
      get(volumes, refused),
      get(`${accounts}/runner`, asNode),
      get(`${accounts}/default`, refused),
      get(accounts, refused),
      patch('merge', `${volumes}/<ns>-disk`, { metadata: { finalizers: null } }),
      remove(`${volumes}/<ns>-disk`),
    ],
  },
  {
    title: 'a node reads services and runtime classes, and no other classes',
    steps: [
      get(`${space}/services`, asNode),
      get('/api/v1/services', {
        ...asNode,
        query: { limit: '500', fieldSelector: 'metadata.name=none' },
      }),
      post(`${space}/services`, { body: { metadata: { name: 'x' } }, ...refused }),
      get('/apis/node.k8s.io/v1/runtimeclasses', asNode),
      get('/apis/node.k8s.io/v1/runtimeclasses/none', { ...asNode, status: 404 }),
      get('/apis/storage.k8s.io/v1/storageclasses', refused),
      get('/apis/scheduling.k8s.io/v1/priorityclasses', refused),
      get('/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical', refused),
    ],
  },
  {
    title: 'a node asks for tokens of the service accounts of its own pods, bound to them',
    steps: [
      made(accounts, 'runner'),
      post(pods, { body: talker('user', node), isEventual: true, save: 'user' }),
      post(pods, { body: talker('elsewhere', other), save: 'elsewhere' }),
      made(secrets, 'pull'),
      askedFor(bound('user', '<user.metadata.uid>'), { isEventual: true }),
      askedFor({ ...bound('user', '<user.metadata.uid>'), audiences: ['vault'] }),
      askedFor({ ...bound('user', '<user.metadata.uid>'), audiences: ['db'] }, forbidden),
      askedFor({ ...bound('user', '<user.metadata.uid>'), audiences: ['vault', ''] }, forbidden),
      askedFor({}, forbidden),
      askedFor(bound('user'), forbidden),
      askedFor(bound('user', 'another'), forbidden),
      askedFor(bound('elsewhere', '<elsewhere.metadata.uid>'), forbidden),
      askedFor(bound('nobody', 'u'), { status: 404 }),
      askedFor(
        { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'pull', uid: 'u' } },
        forbidden,
      ),
      post(`${accounts}/default/token`, { body: { spec: {} }, ...refused }),
      post(accounts, { body: { metadata: { name: 'new' } }, ...refused }),
    ],
  },
]
