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
]
