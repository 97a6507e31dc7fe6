import { X509Certificate } from 'node:crypto'
import { Agent, request as send } from 'undici'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { Caller } from '../auth/caller.ts'
import { CertificateAuthority } from '../certificates/certificate-authority.ts'
import { parseCertificateRequest } from '../certificates/certificate-request.ts'
import { ecKeyPem, requestPem } from '../certificates/fake-certificate-request.ts'
import { startHttpsListener } from './https-listener.ts'
import { createServingCertificates } from './serving-certificates.ts'
import type { KeyedCertificate, ServingCertificates } from './serving-certificates.ts'
import { forbiddenStatus, isPrivileged } from '../auth/authorizer.ts'

const jane = { user: 'jane', groups: ['dev', 'ops'] }
const root = { user: 'root', groups: ['system:masters'] }
const nameless = { user: '', groups: ['system:masters'] }
const ofToken: Caller = { user: 'token', groups: ['system:masters'], client: 'unknown' }

let lastExtra: Caller['extra']
let certificates: ServingCertificates
let others: ServingCertificates
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  certificates = await createServingCertificates([jane, root, nameless])
  others = await createServingCertificates([root])
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Asking {
  readonly client: KeyedCertificate | undefined
  readonly allowsAnonymous?: boolean
}

/** The callers of requests with these headers; the status of one that is refused. */
async function callersAt(
  { client, allowsAnonymous = false }: Asking,
  ...requests: readonly Readonly<Record<string, string>>[]
): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  const listener = await startHttpsListener({
    server: {
      allowsAnonymous,
      refusal: (caller, attributes) =>
        isPrivileged(caller) ? undefined : forbiddenStatus(caller, attributes, ''),
      handle: (_, { user, groups, extra }) => {
        lastExtra = extra
        seen.push({ user, groups })
        return Promise.resolve({ kind: 'object', status: 200, body: {} })
      },
    },
    port: 0,
    clock: { now: () => 0, after: () => () => undefined, hold: () => () => undefined },
    credentials: new Map([['t', ofToken]]),
    certificates,
    log: new FakeLog(),
  })
  if (!listener.ok) throw new Error(listener.error.message)
  const pair = client && { cert: client.certificatePem, key: client.keyPem }
  // A connection for each request: the later ones resume the session of the first.
  const agent = new Agent({ connect: { ca: listener.value.caPem, ...pair }, pipelining: 0 })
  stops.push(listener.value.stop, () => agent.destroy())
  for (const headers of requests) {
    const answer = await send(listener.value.url, { dispatcher: agent, headers })
    await answer.body.dump()
    if (answer.statusCode !== 200) seen.push(answer.statusCode)
  }
  return seen
}

function callersOf(
  client: KeyedCertificate | undefined,
  ...requests: readonly Readonly<Record<string, string>>[]
): Promise<readonly unknown[]> {
  return callersAt({ client }, ...requests)
}

const authorization = 'Bearer t'

describe('a client certificate', () => {
  it('names the user and the groups, on every connection', async () => {
    const caller = { user: 'jane', groups: ['dev', 'ops', 'system:authenticated'] }
    expect(await callersOf(certificates.clients[0], {}, {}, {})).toEqual([caller, caller, caller])
  })

  it('is named by its digest', async () => {
    const [client] = certificates.clients
    const digest = new X509Certificate(client?.certificatePem ?? '').fingerprint256
    const id = `X509SHA256=${digest.replaceAll(':', '').toLowerCase()}`
    await callersOf(client, {})
    expect(lastExtra).toEqual({ 'authentication.kubernetes.io/credential-id': [id] })
  })

  it('counts before a token', async () => {
    expect(await callersOf(certificates.clients[0], { authorization })).toMatchObject(
      [jane].map(({ user }) => ({ user })),
    )
  })

  it('of system:masters may act as another user', async () => {
    const headers = { 'impersonate-user': 'eve' }
    expect(await callersOf(certificates.clients[1], headers)).toMatchObject([{ user: 'eve' }])
    expect(await callersOf(certificates.clients[0], headers)).toEqual([403])
  })

  it('that the CA signed at request names its user, also when the clock of the cluster is ahead', async () => {
    const { caPem: certificatePem, caKeyPem: keyPem } = certificates
    const authority = new CertificateAuthority({ certificatePem, keyPem }, Date.now())
    const request = parseCertificateRequest(
      requestPem({ organization: 'dev', commonName: 'kim', names: [] }),
    )
    if (!request.ok) throw new Error(request.error)
    const signed = authority.sign(request.value, {
      usages: ['client auth'],
      expirationSeconds: undefined,
      now: Date.now() + 30 * 24 * 3600 * 1000,
    })
    if (!signed.ok) throw new Error(signed.error)
    const client = { certificatePem: signed.value, keyPem: ecKeyPem }
    expect(await callersOf(client, {})).toEqual([
      { user: 'kim', groups: ['dev', 'system:authenticated'] },
    ])
  })

  it('of another CA, without a common name, or of a server is none', async () => {
    const { clients, certificatePem, keyPem } = certificates
    for (const client of [others.clients[0], clients[2], { certificatePem, keyPem }, undefined]) {
      expect(await callersOf(client, {}, {})).toEqual([401, 401])
      expect(await callersOf(client, { authorization })).toMatchObject([{ user: 'token' }])
    }
  })
})

describe('a server that allows anonymous requests', () => {
  const anonymous = { user: 'system:anonymous', groups: ['system:unauthenticated'] }

  it('answers those without a certificate and a token, and those whose certificate names no user', async () => {
    const basic = { authorization: 'Basic x' }
    const empty = { authorization: 'Bearer ' }
    for (const client of [undefined, certificates.clients[2]])
      expect(await callersAt({ client, allowsAnonymous: true }, {}, basic, empty)).toEqual([
        anonymous,
        anonymous,
        anonymous,
      ])
  })

  it('refuses those with an unknown certificate or token, and those that would be another user', async () => {
    const unknown = { authorization: 'Bearer x' }
    const at = { client: undefined, allowsAnonymous: true }
    expect(await callersAt(at, unknown, { 'impersonate-user': 'eve' })).toEqual([401, 403])
    for (const client of [others.clients[0], certificates])
      expect(await callersAt({ client, allowsAnonymous: true }, {})).toEqual([401])
    expect(await callersAt(at, { authorization })).toMatchObject([{ user: 'token' }])
  })
})
