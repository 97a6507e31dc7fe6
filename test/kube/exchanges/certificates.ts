import { get, patch, post, remove } from '../exchange.ts'
import type { Difference, Scenario } from '../exchange.ts'

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

function pem(type: string, body: string): string {
  const text = `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`
  return Buffer.from(text).toString('base64')
}

/** Made by openssl, by their subjects. */
const bodies = {
  node: 'MIIBETCBuAIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbS1F9vRKemRjrKsgnV0yHUeKPTJTlnm5OReOwKofFEZgChtS4iN7noJ4WGkjYg456aSWpeODt/2CU6OTw4pVXaAmMCQGCSqGSIb3DQEJDjEXMBUwEwYDVR0RBAwwCoICbjGHBAoAAAcwCgYIKoZIzj0EAwIDSAAwRQIgMa/1WrW+ZUDUT8f2C7fmlC0vmWt1VXKacPriMqa+CWkCIQCA+yO+fQJ7FpNzIDTAznJriMNhwsXNFFDjcpmpyHgcxw==',
  jane: 'MIHWMH8CAQAwHTEMMAoGA1UECgwDZGV2MQ0wCwYDVQQDDARqYW5lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbS1F9vRKemRjrKsgnV0yHUeKPTJTlnm5OReOwKofFEZgChtS4iN7noJ4WGkjYg456aSWpeODt/2CU6OTw4pVXaAAMAoGCCqGSM49BAMCA0cAMEQCICOwv45fX/KushT27NS425Zf2jRY+uBgoK1b10L9I6OgAiBqaVA/7pDZwPVg1135XfFLm2QiLPegzX5cDMbp1sQeww==',
  masters:
    'MIHjMIGKAgEAMCgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ0wCwYDVQQDDARqYW5lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEbS1F9vRKemRjrKsgnV0yHUeKPTJTlnm5OReOwKofFEZgChtS4iN7noJ4WGkjYg456aSWpeODt/2CU6OTw4pVXaAAMAoGCCqGSM49BAMCA0gAMEUCIQCXCsJXUXSYaZz2y5Ip75KHCFiXXrVkpIMw+zMe4f0TGAIgetLzuqsWVjFIrcStek2DIuvC2VLBYF4e4bny1j2oPDE=',
}

export function requestOf(subject: keyof typeof bodies): string {
  return pem('CERTIFICATE REQUEST', bodies[subject])
}

/** Signed as jane. */
const forged = Buffer.from(
  Buffer.from(bodies.jane, 'base64').toString('latin1').replace('jane', 'john'),
  'latin1',
).toString('base64')

/** Each scenario has names of its own: the kind is not namespaced. */
function body(name: string, spec: object = {}): unknown {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: `<ns>-${name}` },
    spec: {
      request: requestOf('jane'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      ...spec,
    },
  }
}

const jane = `${requests}/<ns>-jane`

function condition(type: string, more: object = {}): object {
  return { type, status: 'True', reason: 'Because', message: 'it says so', ...more }
}

/** An answer with the object. */
const shown = {
  differs: [{ at: 'body.spec.extra', why: 'the sandbox knows its administrator by a token' }],
} as const

const invalid = { status: 422, holds: { reason: 'Invalid' } } as const

const unreadable: readonly Difference[] = [
  { at: 'body.message', why: 'Go’s reader of ASN.1 says what it does not understand' },
  { at: 'body.details.causes', why: 'the same' },
]

export const certificateExchanges: readonly Scenario[] = [
  {
    title: 'a request for a certificate is approved and gets its certificate',
    steps: [
      post(requests, {
        body: body('jane', { expirationSeconds: 3600, username: 'x', groups: ['y'] }),
        holds: { spec: { username: 'admin' }, status: {} },
        ...shown,
      }),
      get(jane, { accept: table }),
      get(requests, { query: { fieldSelector: 'metadata.name=<ns>-jane,spec.signerName=a.b/c' } }),
      patch(
        'merge',
        jane,
        { spec: { usages: ['any'] }, status: { conditions: [condition('A')] } },
        shown,
      ),
      patch(
        'merge',
        `${jane}/approval`,
        { status: { conditions: [condition('Approved')] } },
        shown,
      ),
      get(`${jane}/approval`, shown),
      patch(
        'merge',
        `${jane}/approval`,
        { status: { conditions: [condition('Approved'), condition('Denied')] } },
        invalid,
      ),
      patch('merge', `${jane}/approval`, { status: { conditions: [] } }, invalid),
      patch('merge', `${jane}/approval`, { status: { certificate: 'eA==' } }, shown),
      patch('merge', `${jane}/status`, { status: { certificate: 'eA==' } }, invalid),
      patch('merge', `${jane}/status`, { status: { certificate: requestOf('jane') } }, invalid),
      patch(
        'merge',
        `${jane}/status`,
        {
          status: {
            conditions: [condition('Approved', { message: 'other' }), condition('Failed')],
          },
        },
        shown,
      ),
      patch(
        'merge',
        `${jane}/status`,
        { status: { conditions: [condition('Approved')] } },
        invalid,
      ),
      get(jane, { accept: table }),
      remove(jane),
    ],
  },
  {
    title: 'a request for a certificate is denied',
    steps: [
      post(requests, { body: body('jane'), ...shown }),
      patch('merge', `${jane}/status`, { status: { conditions: [condition('Denied')] } }, invalid),
      patch(
        'merge',
        `${jane}/approval`,
        { status: { conditions: [condition('Denied', { status: 'False' })] } },
        invalid,
      ),
      patch('merge', `${jane}/approval`, { status: { conditions: [condition('Denied')] } }, shown),
      patch(
        'merge',
        `${jane}/approval`,
        {
          status: {
            conditions: [condition('Denied'), condition('x', { status: 'Maybe' }), condition('x')],
          },
        },
        invalid,
      ),
      patch(
        'merge',
        `${jane}/approval`,
        { status: { conditions: [condition('Denied'), { type: '', status: '' }] } },
        invalid,
      ),
      get(jane, { accept: table }),
      remove(jane),
    ],
  },
  {
    title: 'an invalid request for a certificate is refused',
    steps: [
      ...[
        { usages: [] },
        { usages: ['client auth', 'client auth', 'all'] },
        { signerName: '' },
        { signerName: 'kubernetes.io/legacy-unknown' },
        { signerName: 'example' },
        { signerName: 'a/b/c' },
        { signerName: 'A.b/c' },
        { signerName: 'a/B_c' },
        { signerName: 'a.b/' },
        { expirationSeconds: 599 },
        { request: undefined },
        { request: '' },
        { request: 'eA==' },
        { request: pem('CERTIFICATE', bodies.jane) },
        { request: pem('CERTIFICATE REQUEST', forged) },
      ].map((spec) => post(requests, { body: body('bad', spec), ...invalid })),
      post(requests, {
        body: body('bad', { request: pem('CERTIFICATE REQUEST', 'MAA=') }),
        ...invalid,
        differs: unreadable,
      }),
      post(requests, {
        body: body('masters', { request: requestOf('masters') }),
        status: 403,
        holds: { reason: 'Forbidden' },
      }),
      post(requests, {
        body: body('masters', { request: requestOf('masters'), signerName: 'example.com/own' }),
        query: { dryRun: 'All' },
        ...shown,
      }),
      post(requests, {
        body: body('node', {
          request: requestOf('node'),
          signerName: 'kubernetes.io/kubelet-serving',
          usages: ['digital signature', 'server auth'],
        }),
        ...shown,
      }),
      remove(`${requests}/<ns>-node`),
    ],
  },
]
