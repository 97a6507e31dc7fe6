import { get, pod, pods, post, remove, type Scenario } from '../exchange.ts'

const accounts = '/api/v1/namespaces/<ns>/serviceaccounts'
const tokens = `${accounts}/default/token`
const nodes = '/api/v1/nodes'
const node = '<ns>-n1'

type Fields = Readonly<Record<string, unknown>>

function request(spec: Fields = {}, more: Fields = {}): unknown {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec, ...more }
}

function boundTo(kind: string, name: string, more: Fields = {}): Fields {
  return { boundObjectRef: { apiVersion: 'v1', kind, name, ...more } }
}

const invalid = { status: 422, holds: { reason: 'Invalid' } }
const badRequest = { status: 400, holds: { reason: 'BadRequest' } }
const conflict = { status: 409, holds: { reason: 'Conflict' } }

const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/<ns>'
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' }
const bound: readonly (readonly [string, Fields])[] = [
  [
    'roles',
    {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
    },
  ],
  [
    'rolebindings',
    {
      metadata: { name: 'reader' },
      roleRef,
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: '<ns>' }],
    },
  ],
]
const reviews = '/apis/authentication.k8s.io/v1'
const secrets = '/api/v1/namespaces/<ns>/secrets'
const refused = { status: 401, holds: { reason: 'Unauthorized', message: 'Unauthorized' } }
/** `kubectl --token=T auth whoami`, and its answer. */
function whoami(token: string, more: Fields = {}) {
  return post(`${reviews}/selfsubjectreviews`, {
    token,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    ...more,
  })
}

const unknown = 'invalid bearer token'

/** `error`: why the token is refused; undefined: it is accepted; null: a reason with UIDs. */
function review(token: string, error?: string | null, audiences?: readonly string[]) {
  const full = error === unknown ? unknown : `[${unknown}, ${error}]`
  const refusal = error === null ? { user: {} } : { error: full }
  const status = error === undefined ? { authenticated: true } : refusal
  return post(`${reviews}/tokenreviews`, {
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token, ...(audiences === undefined ? {} : { audiences }) },
    },
    holds: { status },
    isEventual: true,
  })
}

const invalidated = 'service account token has been invalidated'

function jwt(header: Fields, claims: Fields): string {
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)))
  return [...parts, Buffer.alloc(64)].map((part) => part.toString('base64url')).join('.')
}

const iss = 'https://kubernetes.default.svc.cluster.local'

/** Tokens of service accounts: claims, bound objects and lifetime. */
export const tokenExchanges: readonly Scenario[] = [
  {
    title: 'a token has a subject, an audience and a lifetime',
    steps: [
      post(tokens, {
        body: request(),
        holds: {
          kind: 'TokenRequest',
          metadata: { name: 'default' },
          spec: { expirationSeconds: 3600 },
        },
      }),
      post(tokens, { body: request({ audiences: ['vault', 'db'], expirationSeconds: 600 }) }),
      post(tokens, { body: request({ audiences: [] }) }),
      post(tokens, { body: { spec: {} } }),
      post(tokens, { body: {} }),
      post(tokens, { body: request({ expirationSeconds: 599 }), ...invalid }),
      post(tokens, { body: request({ expirationSeconds: -1 }), ...invalid }),
      post(tokens, { body: request({ expirationSeconds: 4_294_967_297 }), ...invalid }),
      post(tokens, { body: request({ expirationSeconds: 'x' }), status: 400 }),
      post(tokens, { body: request({}, { kind: 'Pod' }), status: 400 }),
      post(tokens, { body: request({}, { metadata: { name: 'other' } }), ...invalid }),
      post(tokens, { body: request({}, { metadata: { namespace: 'other' } }), status: 400 }),
      post(tokens, { body: request({}, { metadata: { uid: 'u' } }), ...conflict }),
      post(`${accounts}/nobody/token`, { body: request(), status: 404 }),
      get(tokens, { status: 405 }),
    ],
  },
  {
    title: 'a token is bound to a pod, a secret or a node',
    steps: [
      post(pods, { body: pod('web'), save: 'web' }),
      post(tokens, {
        body: request(boundTo('Pod', 'web')),
        isEventual: true,
      }),
      post(tokens, { body: request(boundTo('Pod', 'web', { uid: '<web.metadata.uid>' })) }),
      post(tokens, { body: request(boundTo('Pod', 'web', { uid: 'another' })), ...conflict }),
      post(tokens, { body: request(boundTo('Pod', 'nobody')), status: 404 }),
      post(accounts, { body: { metadata: { name: 'other' } } }),
      post(`${accounts}/other/token`, { body: request(boundTo('Pod', 'web')), ...badRequest }),
      post('/api/v1/namespaces/<ns>/secrets', { body: { metadata: { name: 'key' } } }),
      post(tokens, { body: request(boundTo('Secret', 'key')) }),
      post(tokens, { body: request(boundTo('Secret', 'none')), status: 404 }),
      post(nodes, { body: { metadata: { name: node } } }),
      post(tokens, { body: request(boundTo('Node', node)) }),
      post(tokens, { body: request(boundTo('ConfigMap', 'x')), ...badRequest }),
      post(tokens, {
        body: request({ ...boundTo('Pod', 'web'), expirationSeconds: 3607 }),
      }),
      post(pods, { body: pod('placed', { spec: { nodeName: node } }) }),
      post(tokens, { body: request(boundTo('Pod', 'placed')) }),
      post(pods, { body: pod('lost', { spec: { nodeName: '<ns>-none' } }) }),
      post(tokens, { body: request(boundTo('Pod', 'lost')) }),
      remove(`${nodes}/${node}`),
    ],
  },
  {
    title: 'a token signs in its service account',
    steps: [
      post(tokens, { body: request(), save: 't' }),
      whoami('<t.status.token>'),
      review('<t.status.token>'),
      review('<t.status.token>', undefined, ['vault', iss]),
      review(
        '<t.status.token>',
        `token audiences ["${iss}"] is invalid for the target audiences ["vault"]`,
        ['vault'],
      ),
      post(nodes, { body: { metadata: { name: node } }, save: 'n' }),
      post(pods, { body: pod('web', { spec: { nodeName: node } }), save: 'web' }),
      post(tokens, { body: request(boundTo('Pod', 'web')), save: 'p', isEventual: true }),
      whoami('<p.status.token>'),
      review('<p.status.token>'),
      post(tokens, { body: request(boundTo('Node', node)), save: 'm' }),
      whoami('<m.status.token>'),
      post(secrets, { body: { metadata: { name: 'key' } } }),
      post(tokens, { body: request(boundTo('Secret', 'key')), save: 's' }),
      whoami('<s.status.token>'),
      remove(`${nodes}/${node}`),
    ],
  },
  {
    title: 'a token for others or with another signature is refused',
    steps: [
      post(tokens, { body: request({ audiences: ['vault', 'db'] }), save: 'v' }),
      whoami('<v.status.token>', refused),
      review(
        '<v.status.token>',
        `token audiences ["vault" "db"] is invalid for the target audiences ["${iss}"]`,
      ),
      review('<v.status.token>', undefined, ['db', 'other']),
      post(tokens, { body: request({ audiences: [iss, 'db'] }), save: 'b' }),
      whoami('<b.status.token>'),
      review('<b.status.token>', undefined, ['other', 'db', iss]),
      post(tokens, { body: request(), save: 't' }),
      ...['<t.status.token>AAAA', jwt({ alg: 'ES256' }, { iss })].flatMap((token) => [
        whoami(token, refused),
        review(token, 'go-jose/go-jose: error in cryptographic primitive'),
      ]),
      ...[
        'a.b.c.d',
        'a.b.c',
        jwt({ alg: 'ES256' }, { iss: 'https://other.example' }),
        jwt({ alg: 'ES256' }, {}),
      ].flatMap((token) => [whoami(token, refused), review(token, unknown)]),
      review(jwt({ alg: 'none' }, { iss }), 'go-jose/go-jose: error in cryptographic primitive'),
      review(jwt({ alg: 'ES256', kid: 'x' }, { iss }), 'invalid signature, no keys found'),
    ],
  },
  {
    title: 'a token ends with its service account and with what it is bound to',
    steps: [
      ...['gone', 'again'].flatMap((name) => [
        post(accounts, { body: { metadata: { name } } }),
        post(`${accounts}/${name}/token`, { body: request(), save: name, isEventual: true }),
        remove(`${accounts}/${name}`),
      ]),
      post(accounts, { body: { metadata: { name: 'again' } }, save: 'new' }),
      review('<gone.status.token>', 'serviceaccounts "gone" not found'),
      whoami('<gone.status.token>', { ...refused, isEventual: true }),
      whoami('<again.status.token>', { ...refused, isEventual: true }),
      review('<again.status.token>', null),
      post(secrets, { body: { metadata: { name: 'key' } } }),
      post(tokens, { body: request(boundTo('Secret', 'key')), save: 's' }),
      remove(`${secrets}/key`),
      review('<s.status.token>', invalidated),
      post(secrets, { body: { metadata: { name: 'key' } }, save: 'other' }),
      review('<s.status.token>', null),
      whoami('<s.status.token>', refused),
      post(pods, { body: pod('web') }),
      post(tokens, { body: request(boundTo('Pod', 'web')), save: 'p', isEventual: true }),
      remove(`${pods}/web`, { body: { gracePeriodSeconds: 0 } }),
      review('<p.status.token>', invalidated),
      whoami('<p.status.token>', refused),
      post(nodes, { body: { metadata: { name: node } } }),
      post(tokens, { body: request(boundTo('Node', node)), save: 'm' }),
      remove(`${nodes}/${node}`),
      review('<m.status.token>', invalidated),
      whoami('<m.status.token>', refused),
    ],
  },
  {
    title: 'a service account has the rights of its bindings',
    enforcesRbac: true,
    steps: [
      post(tokens, { body: request(), save: 't' }),
      get(pods, { token: '<t.status.token>', status: 403 }),
      whoami('<t.status.token>'),
      ...bound.map(([path, body]) => post(`${rbac}/${path}`, { body })),
      get(pods, { token: '<t.status.token>', isEventual: true }),
      remove(`${pods}/web`, { token: '<t.status.token>', status: 403 }),
    ],
  },
]
