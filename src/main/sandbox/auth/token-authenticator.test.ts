import { beforeEach, describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { seededRandom } from '../../clock/seeded-random.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { SandboxApiServer } from '../api-server.ts'
import { newSigningKey } from '../certificates/signing-key.ts'
import { apiServerCaller } from './caller.ts'

const seconds = 1000
const accounts = '/api/v1/namespaces/default/serviceaccounts'
const pods = '/api/v1/namespaces/default/pods'

let clock: VirtualClock
let server: SandboxApiServer

function newServer(tokenKeyPem?: string): SandboxApiServer {
  const services = { random: seededRandom(1), trace: { emit: () => 0 }, log: new FakeLog() }
  return new SandboxApiServer({ clock, tokenKeyPem, ...services })
}

async function send(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: JsonObject = {},
): Promise<JsonObject> {
  const answer = await server.handle({ method, path, body }, apiServerCaller)
  if (answer.kind !== 'object' || answer.status >= 300 || !isJsonObject(answer.body))
    throw new Error(JSON.stringify(answer))
  return answer.body
}

async function issue(spec: JsonObject = {}): Promise<string> {
  const path = `${accounts}/web/token`
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec }
  return textAt(objectAt(await send('POST', path, request), 'status'), 'token')
}

function boundTo(kind: string, name: string): JsonObject {
  return { boundObjectRef: { apiVersion: 'v1', kind, name } }
}

async function reasonFor(token: string): Promise<string> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } }
  const path = '/apis/authentication.k8s.io/v1/tokenreviews'
  return textAt(objectAt(await send('POST', path, review), 'status'), 'error')
}

beforeEach(async () => {
  clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  server = newServer()
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'default' } }).catch(() => undefined)
  await send('POST', accounts, { metadata: { name: 'web' } })
})

describe('a token of a service account', () => {
  it('names the account, its groups and the pod that it is bound to', async () => {
    const containers = [{ name: 'c', image: 'app:1' }]
    const spec = { serviceAccountName: 'web', automountServiceAccountToken: false, containers }
    const pod = await send('POST', pods, { metadata: { name: 'p' }, spec })
    const caller = server.callerOfToken(await issue(boundTo('Pod', 'p')))
    expect(caller).toMatchObject({
      user: 'system:serviceaccount:default:web',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[\da-f-]{36}$/)],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': [textAt(objectAt(pod, 'metadata'), 'uid')],
      },
    })
  })

  it('expires a minute after its time', async () => {
    const token = await issue({ expirationSeconds: 600 })
    await clock.advance(659 * seconds)
    expect(server.callerOfToken(token)).toBeDefined()
    await clock.advance(2 * seconds)
    expect(server.callerOfToken(token)).toBeUndefined()
    expect(await reasonFor(token)).toBe('[invalid bearer token, service account token has expired]')
  })

  it('is valid for a minute after the deletion of its account began', async () => {
    const token = await issue()
    await send('DELETE', `${accounts}/web`)
    const metadata = { name: 'web', finalizers: ['example.com/wait'] }
    await send('POST', accounts, { metadata })
    const held = await issue()
    await send('DELETE', `${accounts}/web`)
    await clock.advance(59 * seconds)
    expect(server.callerOfToken(held)).toBeDefined()
    await clock.advance(2 * seconds)
    expect(await reasonFor(held)).toBe(
      '[invalid bearer token, service account default/web has been deleted]',
    )
    expect(await reasonFor(token)).toMatch(/service account UID \(.*\) does not match claim/)
  })

  it('is refused by a server with another key, and accepted by one with the same', async () => {
    const key = newSigningKey()
    server = newServer(key)
    await send('POST', accounts, { metadata: { name: 'web' } })
    const token = await issue()
    server = newServer()
    await send('POST', accounts, { metadata: { name: 'web' } })
    expect(await reasonFor(token)).toBe('[invalid bearer token, invalid signature, no keys found]')
    server = newServer(key)
    // The same seed: the account has the same UID.
    await send('POST', accounts, { metadata: { name: 'web' } })
    expect(server.callerOfToken(token)).toMatchObject({ user: 'system:serviceaccount:default:web' })
  })
})

describe('a token that a Secret keeps', () => {
  const secrets = '/api/v1/namespaces/default/secrets'
  const type = 'kubernetes.io/service-account-token'
  const annotations = { 'kubernetes.io/service-account.name': 'web' }

  async function keep(account: JsonObject): Promise<string> {
    const uid = textAt(objectAt(account, 'metadata'), 'uid')
    const place = { namespace: 'default', secret: 'kept', account: { name: 'web', uid } }
    const token = server.tokenIssuer.signForSecret(place)
    const metadata = { name: 'kept', annotations }
    await send('POST', secrets, { metadata, type, stringData: { token } })
    return token
  }

  async function lastUsed(): Promise<unknown> {
    const { metadata } = await send('GET', `${secrets}/kept`)
    return objectAt(objectAt({ metadata }, 'metadata'), 'labels')[
      'kubernetes.io/legacy-token-last-used'
    ]
  }

  it('does not expire, and the Secret says on which day it was used', async () => {
    const token = await keep(await send('GET', `${accounts}/web`))
    expect(await lastUsed()).toBeUndefined()
    const caller = server.callerOfToken(token)
    expect(caller).toMatchObject({
      user: 'system:serviceaccount:default:web',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    })
    expect(caller?.warnings).toBeUndefined()
    const day = (): string => new Date(clock.now()).toISOString().slice(0, 10)
    expect(await lastUsed()).toBe(day())
    await clock.advance(400 * 24 * 3600 * seconds)
    expect(server.callerOfToken(token)).toBeDefined()
    expect(await lastUsed()).toBe(day())
  })

  it('warns who uses a token that the account lists, in each answer', async () => {
    await send('DELETE', `${accounts}/web`)
    const listed = { metadata: { name: 'web' }, secrets: [{ name: 'kept' }] }
    const token = await keep(await send('POST', accounts, listed))
    const caller = server.callerOfToken(token)
    if (caller === undefined) throw new Error('the token was refused')
    const answer = await server.handle({ method: 'GET', path: pods }, caller)
    expect(answer).toMatchObject({
      status: 200,
      headers: { warning: expect.stringMatching(/^299 - "Use tokens from the TokenRequest API/) },
    })
  })

  it('counts while the Secret has it', async () => {
    const token = await keep(await send('GET', `${accounts}/web`))
    await send('DELETE', `${secrets}/kept`)
    expect(await reasonFor(token)).toBe('[invalid bearer token, Token has been invalidated]')
    await send('POST', secrets, {
      metadata: { name: 'kept', annotations },
      type,
      stringData: { token: 'another' },
    })
    expect(await reasonFor(token)).toBe(
      "[invalid bearer token, Token does not match server's copy]",
    )
  })
})
