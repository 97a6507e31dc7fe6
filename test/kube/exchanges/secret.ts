import { events, get, patch, post, put, remove, watch, type Scenario } from '../exchange.ts'

const secrets = '/api/v1/namespaces/<ns>/secrets'
const accounts = '/api/v1/namespaces/<ns>/serviceaccounts'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'

type Fields = Readonly<Record<string, unknown>>

function secret(name: string, more: Fields = {}): unknown {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...more }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const invalid = { status: 422, holds: { reason: 'Invalid' } }

function refused(title: string, body: unknown): Scenario {
  return {
    title: `a secret with ${title} is refused`,
    steps: [post(secrets, { body, ...invalid })],
  }
}

/** Secrets: storage, validation and immutability. */
export const secretExchanges: readonly Scenario[] = [
  {
    title: 'a secret is created, listed, watched, changed and deleted',
    steps: [
      watch('secrets', secrets),
      post(secrets, {
        body: secret('keys', { data: { a: base64('one') }, stringData: { b: 'two' } }),
        holds: { type: 'Opaque', data: { a: base64('one'), b: base64('two') } },
        save: 'keys',
      }),
      post(secrets, { body: secret('empty'), holds: { type: 'Opaque' } }),
      post(secrets, { body: secret('keys'), status: 409, holds: { reason: 'AlreadyExists' } }),
      get(secrets, { holds: { kind: 'SecretList' } }),
      get(secrets, { accept: table, holds: { kind: 'Table' } }),
      get(secrets, { query: { fieldSelector: 'type=Opaque' } }),
      get(secrets, { query: { fieldSelector: 'type!=Opaque' } }),
      get(secrets, { query: { fieldSelector: 'data=x' }, status: 400 }),
      get(`${secrets}/keys`),
      patch('merge', `${secrets}/keys`, { data: { a: null, c: base64('three') } }),
      patch('strategic', `${secrets}/keys`, { stringData: { d: 'four' } }),
      patch('json', `${secrets}/keys`, [{ op: 'remove', path: '/data/b' }]),
      put(`${secrets}/keys`, { body: secret('keys', { stringData: { only: 'this' } }) }),
      patch('merge', `${secrets}/keys`, { type: 'Other' }, invalid),
      put(`${secrets}/keys`, { body: secret('keys', { type: 'kubernetes.io/tls' }), ...invalid }),
      remove(`${secrets}/keys`, { holds: { kind: 'Status' } }),
      get(`${secrets}/keys`, { status: 404, holds: { reason: 'NotFound' } }),
      events('secrets', [
        { type: 'ADDED' },
        { type: 'ADDED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'MODIFIED' },
        { type: 'DELETED' },
      ]),
      remove(secrets, { holds: { kind: 'SecretList' } }),
    ],
  },
  {
    title: 'an immutable secret changes nothing but its metadata',
    steps: [
      post(secrets, { body: secret('fixed', { immutable: true, stringData: { a: 'one' } }) }),
      patch('merge', `${secrets}/fixed`, { metadata: { labels: { a: 'b' } } }),
      patch('merge', `${secrets}/fixed`, { stringData: { a: 'two' } }, invalid),
      patch('merge', `${secrets}/fixed`, { immutable: false }, invalid),
      patch('merge', `${secrets}/fixed`, { immutable: null }, invalid),
      post('/api/v1/namespaces/<ns>/configmaps', {
        body: { metadata: { name: 'fixed' }, immutable: true, data: { a: 'one' } },
      }),
      patch('merge', '/api/v1/namespaces/<ns>/configmaps/fixed', { data: { a: 'two' } }, invalid),
      patch('merge', '/api/v1/namespaces/<ns>/configmaps/fixed', { immutable: null }, invalid),
    ],
  },
  {
    title: 'secrets of the known types have the keys of their type',
    steps: [
      post(secrets, {
        body: secret('pull', {
          type: 'kubernetes.io/dockerconfigjson',
          stringData: { '.dockerconfigjson': '{"auths":{}}' },
        }),
      }),
      post(secrets, {
        body: secret('old-pull', {
          type: 'kubernetes.io/dockercfg',
          stringData: { '.dockercfg': '{}' },
        }),
      }),
      post(secrets, {
        body: secret('tls', {
          type: 'kubernetes.io/tls',
          stringData: { 'tls.crt': 'c', 'tls.key': 'k' },
        }),
      }),
      post(secrets, {
        body: secret('login', {
          type: 'kubernetes.io/basic-auth',
          stringData: { username: 'u' },
        }),
      }),
      post(secrets, {
        body: secret('ssh', {
          type: 'kubernetes.io/ssh-auth',
          stringData: { 'ssh-privatekey': 'k' },
        }),
      }),
      post(secrets, {
        body: {
          metadata: {
            name: 'token',
            annotations: { 'kubernetes.io/service-account.name': 'default' },
          },
          type: 'kubernetes.io/service-account-token',
        },
      }),
      get(secrets, { accept: table }),
    ],
  },
  refused('a key that is no file name', secret('bad', { stringData: { 'a/b': 'x' } })),
  refused('a key of dots', secret('bad', { stringData: { '..': 'x' } })),
  refused(
    'a docker configuration that is missing',
    secret('bad', { type: 'kubernetes.io/dockerconfigjson' }),
  ),
  {
    title: 'a secret with an invalid docker configuration is refused',
    steps: [
      post(secrets, {
        body: secret('bad', {
          type: 'kubernetes.io/dockercfg',
          stringData: { '.dockercfg': 'no json' },
        }),
        ...invalid,
        differs: [
          { at: 'body.message', why: 'a JSON reader of its own says what is wrong' },
          {
            at: 'body.details.causes.0.message',
            why: 'a JSON reader of its own says what is wrong',
          },
        ],
      }),
    ],
  },
  refused(
    'half of a certificate',
    secret('bad', { type: 'kubernetes.io/tls', stringData: { 'tls.key': 'x' } }),
  ),
  refused('no user and no password', secret('bad', { type: 'kubernetes.io/basic-auth' })),
  refused('no SSH key', secret('bad', { type: 'kubernetes.io/ssh-auth' })),
  refused('no service account', secret('bad', { type: 'kubernetes.io/service-account-token' })),
  refused('too much in it', secret('bad', { stringData: { a: 'x'.repeat(1024 * 1024 + 1) } })),
  {
    title: 'a secret with invalid base64 is refused',
    steps: [
      post(secrets, { body: secret('bad', { data: { a: '***' } }), status: 400 }),
      post(secrets, { body: secret('bad', { data: { a: 7 } }), status: 400 }),
      post(secrets, { body: secret('bad', { data: ['a'] }), status: 400 }),
      post(secrets, { body: secret('null', { data: { a: null, b: '' } }) }),
    ],
  },
  {
    title: 'a service account names secrets, and gives its pull secrets to its pods',
    steps: [
      post(accounts, {
        body: {
          metadata: { name: 'builder' },
          secrets: [{ name: 'token' }],
          imagePullSecrets: [{ name: 'pull' }],
          automountServiceAccountToken: false,
        },
      }),
      get(accounts, { accept: table }),
      post('/api/v1/namespaces/<ns>/pods', {
        body: {
          metadata: { name: 'web' },
          spec: { serviceAccountName: 'builder', containers: [{ name: 'c', image: 'x' }] },
        },
        isEventual: true,
        holds: { spec: { imagePullSecrets: [{ name: 'pull' }] } },
      }),
      post('/api/v1/namespaces/<ns>/pods', {
        body: {
          metadata: { name: 'own' },
          spec: {
            serviceAccountName: 'builder',
            imagePullSecrets: [{ name: 'mine' }],
            containers: [{ name: 'c', image: 'x' }],
          },
        },
        holds: { spec: { imagePullSecrets: [{ name: 'mine' }] } },
      }),
      patch('strategic', `${accounts}/builder`, { imagePullSecrets: [{ name: 'second' }] }),
      patch('strategic', `${accounts}/builder`, { secrets: [{ name: 'token', namespace: 'x' }] }),
      put(`${accounts}/builder`, { body: { metadata: { name: 'builder' } } }),
    ],
  },
]
