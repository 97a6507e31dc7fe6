import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { Agent, request } from 'undici'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { makeCertificates } from '../../cluster/transport/fake-https-server.ts'
import type { TestCertificates } from '../../cluster/transport/fake-https-server.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { textAnswer } from '../../kubelet/server/kubelet-request.ts'
import { refusalOf } from '../../kubelet/server/request-authorization.ts'
import { defaultKubeletConfiguration } from '../../kubelet/server/default-configuration.ts'
import { certificateRequest, selfSignedCertificate } from './certificate-generation.ts'
import { FakeReviewingServer } from './fake-reviewing-server.ts'
import { addressText, startJoinedKubelet } from './joined-kubelet.ts'
import type { JoinedKubelet } from './joined-kubelet.ts'

const dayMs = 24 * 60 * 60 * 1000
const node = { nodeName: 'n1', address: '127.0.0.1' }

let folder = ''
let api: FakeReviewingServer
let clock: VirtualClock
let running: JoinedKubelet | undefined
let said: string[] = []
let certificates: TestCertificates

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-serving-'))
  api = new FakeReviewingServer()
  clock = new VirtualClock(nodeClockHost, { startAt: Date.now() })
  said = []
  certificates = await makeCertificates()
})

afterEach(async () => {
  await running?.stop()
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

/** A kubelet that answers what it let through. */
const kubelet: ReturnType<Parameters<typeof startJoinedKubelet>[0]['server']> = {
  handle: async (asked, auth) =>
    (auth && (await refusalOf(asked, 'n1', auth))) ?? textAnswer(200, 'let through'),
  upgrade: () => Promise.reject(new Error('no streams here')),
}

function start(configuration: JsonObject = {}, port = 0, host = '127.0.0.1') {
  return startJoinedKubelet({
    address: { host, port },
    nodeName: 'n1',
    configuration: { ...defaultKubeletConfiguration, ...configuration },
    dataFolder: folder,
    transport: api,
    clock,
    log: new FakeLog(),
    say: (sentence) => said.push(sentence),
    server: () => kubelet,
    serveStream: () => undefined,
  })
}

async function begin(configuration: JsonObject = {}): Promise<JoinedKubelet> {
  const started = await start(configuration)
  if (!started.ok) throw new Error(started.error)
  running = started.value
  return started.value
}

async function ask(
  path: string,
  options: { readonly token?: string; readonly cert?: string; readonly key?: string } = {},
): Promise<readonly [number, string]> {
  const { token, ...tls } = options
  const dispatcher = new Agent({ connect: { ...tls, rejectUnauthorized: false } })
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  try {
    const url = `https://127.0.0.1:${running?.address.port}${path}`
    const { statusCode, body } = await request(url, { dispatcher, headers })
    return [statusCode, await body.text()]
  } finally {
    await dispatcher.destroy()
  }
}

async function shownCertificate(): Promise<X509Certificate | undefined> {
  const port = running?.address.port ?? 0
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

const unauthorized = [401, 'Unauthorized']

describe('clients of a joined node’s kubelet', () => {
  it('are refused without a credential that the API server knows', async () => {
    api.clientCa = certificates.ca
    await begin()
    expect(await ask('/pods')).toEqual(unauthorized)
    expect(await ask('/pods', { token: 'wrong' })).toEqual(unauthorized)
    const other = (await makeCertificates()).client
    expect(await ask('/pods', other)).toEqual(unauthorized)
  })

  it('have the name and the groups of their certificate', async () => {
    api.clientCa = certificates.ca
    await begin()
    api.rights.add('client pods')
    expect(await ask('/pods', certificates.client)).toEqual([200, 'let through'])
    const [review] = api.requests.filter(({ path }) => path.endsWith('subjectaccessreviews'))
    expect(review?.body).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: 'client',
        groups: ['system:authenticated'],
        resourceAttributes: {
          verb: 'get',
          version: 'v1',
          resource: 'nodes',
          subresource: 'pods',
          name: 'n1',
        },
      },
    })
  })

  it('are refused by their certificate until its CA is known, which is said with the rule', async () => {
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
    api.forbidden.add(path)
    await begin()
    expect(await ask('/pods', certificates.client)).toEqual(unauthorized)
    expect(said).toEqual([
      'The kubelet’s server accepts no client certificates, not even the API server’s for kubectl logs, because it cannot read their CA: no right. ' +
        "It needs the RBAC rule {apiGroups: [''], resources: [configmaps], resourceNames: [extension-apiserver-authentication], verbs: [get]} in the namespace kube-system: apply nodescope-kubelet-server of docs/rbac.yaml.",
    ])
    api.forbidden.clear()
    api.clientCa = certificates.ca
    await clock.advance(11_000)
    expect((await ask('/pods', certificates.client))[0]).toBe(403)
    expect(said).toHaveLength(1)
  })

  it('show tokens, which are reviewed once in two minutes', async () => {
    await begin()
    api.tokens.set('t', { username: 'ada', groups: ['staff'], uid: '7', extra: { a: ['b'] } })
    api.rights.add('ada proxy')
    expect(await ask('/pods', { token: 't' })).toEqual([200, 'let through'])
    expect(await ask('/metrics', { token: 't' })).toEqual([
      403,
      'Forbidden (user=ada, verb=get, resource=nodes, subresource(s)=[metrics])\n',
    ])
    expect(api.countOf('tokenreviews')).toBe(1)
    const spec = objectAt(Object(api.requests.at(-1)?.body) as JsonObject, 'spec')
    expect(spec).toMatchObject({
      groups: ['staff', 'system:authenticated'],
      uid: '7',
      extra: { a: ['b'] },
    })
    await clock.advance(2 * 60_000)
    await ask('/pods', { token: 't' })
    expect(api.countOf('tokenreviews')).toBe(2)
  })

  it('keep a right for five minutes, and a refusal for 30 seconds', async () => {
    await begin()
    api.tokens.set('t', { username: 'ada' })
    api.rights.add('ada metrics')
    expect((await ask('/metrics', { token: 't' }))[0]).toBe(200)
    expect((await ask('/stats/summary', { token: 't' }))[0]).toBe(403)
    api.rights.clear()
    api.rights.add('ada stats')
    expect((await ask('/stats/summary', { token: 't' }))[0]).toBe(403)
    await clock.advance(31_000)
    expect((await ask('/stats/summary', { token: 't' }))[0]).toBe(200)
    expect((await ask('/metrics', { token: 't' }))[0]).toBe(200)
    await clock.advance(5 * 60_000)
    expect((await ask('/metrics', { token: 't' }))[0]).toBe(403)
  })

  it('get 500 and 401 when the API server forbids the reviews, which is said once', async () => {
    api.clientCa = certificates.ca
    await begin()
    api.forbidden.add('/apis/authentication.k8s.io/v1/tokenreviews')
    api.forbidden.add('/apis/authorization.k8s.io/v1/subjectaccessreviews')
    for (let times = 0; times < 2; times++) {
      expect(await ask('/pods', { token: 't' })).toEqual(unauthorized)
      expect(await ask('/metrics', certificates.client)).toEqual([
        500,
        'Authorization error (user=client, verb=get, resource=nodes, subresource=metrics)',
      ])
    }
    expect(said).toEqual([
      "The kubelet’s server cannot check bearer tokens: no right. It needs the RBAC rule {apiGroups: ['authentication.k8s.io'], resources: [tokenreviews], verbs: [create]}: apply nodescope-kubelet-server of docs/rbac.yaml.",
      "The kubelet’s server cannot find out what its clients are allowed to do: no right. It needs the RBAC rule {apiGroups: ['authorization.k8s.io'], resources: [subjectaccessreviews], verbs: [create]}: apply nodescope-kubelet-server of docs/rbac.yaml.",
    ])
  })

  it('follow the configuration: a CA file, no tokens, anonymous, always allowed', async () => {
    const clientCAFile = join(folder, 'ca.crt')
    await writeFile(clientCAFile, certificates.ca)
    await begin({
      authentication: {
        x509: { clientCAFile },
        webhook: { enabled: false, cacheTTL: '1s' },
        anonymous: { enabled: true },
      },
      authorization: { mode: 'AlwaysAllow' },
    })
    expect(await ask('/pods', certificates.client)).toEqual([200, 'let through'])
    expect(await ask('/pods')).toEqual([200, 'let through'])
    expect(await ask('/pods', { token: 't' })).toEqual(unauthorized)
    expect(api.requests).toEqual([])
  })
})

describe('the CA of client certificates', () => {
  it.each([
    ['', 'has no certificate: client certificates are refused.'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'has a certificate that cannot be read: client certificates are refused.',
    ],
  ])('is said to be unusable: %j', async (text, why) => {
    const clientCAFile = join(folder, 'ca.crt')
    await writeFile(clientCAFile, text)
    await begin({ authentication: { x509: { clientCAFile } } })
    expect(said).toEqual([`The clientCAFile ${clientCAFile} ${why}`])
    expect(await ask('/pods', certificates.client)).toEqual(unauthorized)
    await writeFile(clientCAFile, certificates.ca)
    await clock.advance(11_000)
    await expect.poll(async () => (await ask('/pods', certificates.client))[0]).toBe(403)
  })
})

describe('the serving certificate of a joined node', () => {
  it('is its own, kept for this user alone, and renewed before it expires', async () => {
    api.clientCa = certificates.ca
    await begin()
    const file = join(folder, 'pki', 'kubelet-server-self-signed.pem')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const first = await shownCertificate()
    expect(first?.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(first?.checkHost('n1')).toBe('n1')
    await running?.stop()
    await begin()
    expect((await shownCertificate())?.fingerprint256).toBe(first?.fingerprint256)
    await running?.stop()
    // After 292 days four fifths of its year are over.
    const old = await selfSignedCertificate(node, Date.now() - 291.9 * dayMs)
    await writeFile(file, old.certificatePem + old.keyPem)
    const oldFingerprint = new X509Certificate(old.certificatePem).fingerprint256
    await begin()
    expect((await shownCertificate())?.fingerprint256).toBe(oldFingerprint)
    await clock.advance(dayMs / 4)
    await expect
      .poll(async () => (await shownCertificate())?.fingerprint256)
      .not.toBe(oldFingerprint)
    expect(said).toEqual([])
  })

  it('is replaced for another node, and if its file is damaged', async () => {
    await begin()
    const first = await shownCertificate()
    await running?.stop()
    const file = join(folder, 'pki', 'kubelet-server-self-signed.pem')
    const other = await selfSignedCertificate({ ...node, nodeName: 'n2' }, Date.now())
    for (const text of [other.certificatePem + other.keyPem, 'damaged', first?.toString() ?? '']) {
      await writeFile(file, text)
      await begin()
      const shown = await shownCertificate()
      expect(shown?.checkHost('n1')).toBe('n1')
      expect(shown?.fingerprint256).not.toBe(first?.fingerprint256)
      await running?.stop()
    }
  })

  it('is served even if it cannot be kept', async () => {
    await writeFile(join(folder, 'pki'), '')
    await begin()
    expect((await shownCertificate())?.checkHost('n1')).toBe('n1')
    expect(said.join('\n')).toContain('kubelet-server-self-signed.pem cannot')
  })

  it('is that of the files, which are read again', async () => {
    const [tlsCertFile, tlsPrivateKeyFile] = [join(folder, 'a.crt'), join(folder, 'a.key')]
    expect(await start({ tlsCertFile })).toMatchObject({
      error: expect.stringContaining('only one of tlsCertFile and tlsPrivateKeyFile'),
    })
    const both = { tlsCertFile, tlsPrivateKeyFile }
    expect(await start(both)).toEqual({
      ok: false,
      error: `The serving certificate cannot be read: ${tlsCertFile}: it does not exist.`,
    })
    const write = async ({ certificatePem = '', keyPem = '' }): Promise<void> => {
      await writeFile(tlsCertFile, certificatePem)
      await writeFile(tlsPrivateKeyFile, keyPem)
    }
    const [one, two] = [
      await selfSignedCertificate(node, Date.now()),
      await selfSignedCertificate(node, Date.now()),
    ]
    await write({ ...one, keyPem: two.keyPem })
    expect(await start(both)).toMatchObject({
      error: expect.stringContaining('are not a certificate and its key in PEM that TLS can use'),
    })
    await write(one)
    await begin(both)
    const first = new X509Certificate(one.certificatePem).fingerprint256
    expect((await shownCertificate())?.fingerprint256).toBe(first)
    await write(two)
    await clock.advance(61_000)
    await expect.poll(async () => (await shownCertificate())?.fingerprint256).not.toBe(first)
  })

  it('is requested of the cluster: it says how to approve it, and serves nothing before', async () => {
    api.clientCa = certificates.ca
    await begin({ serverTLSBootstrap: true })
    await clock.advance(3000)
    expect(said).toEqual([
      'The kubelet’s server waits for its serving certificate: approve it with kubectl certificate approve csr-1.',
    ])
    expect(await shownCertificate()).toBeUndefined()
    const created = api.requests.find(
      ({ method, path }) => method === 'POST' && /csr|signing/.test(path),
    )
    const spec = objectAt(Object(created?.body) as JsonObject, 'spec')
    expect(spec).toMatchObject({
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    })
    const asked = new Pkcs10CertificateRequest(
      Buffer.from(textAt(spec, 'request'), 'base64').toString(),
    )
    expect(asked.subject).toBe('O=system:nodes, CN=system:node:n1')
    expect(await asked.verify()).toBe(true)
    // A certificate for another key.
    const { certificatePem } = await selfSignedCertificate(node, Date.now())
    api.signing = { certificate: Buffer.from(certificatePem).toString('base64') }
    await clock.advance(2000)
    expect(await shownCertificate()).toBeUndefined()
    expect(said.at(-1)).toContain('is for another key')
    api.signing = { conditions: [{ type: 'Denied', reason: 'No', message: 'not you' }] }
    await clock.advance(11_000)
    // The key is made in real time.
    await expect
      .poll(() => said.at(-1))
      .toBe(
        'The request csr-1 for the serving certificate of the kubelet’s server was refused (Denied: No, not you): it asks again in an hour.',
      )
    expect(api.countOf('certificatesigningrequests')).toBe(2)
    await clock.advance(3_600_000)
    await expect.poll(() => api.countOf('certificatesigningrequests')).toBe(3)
  })

  it('has names for IPv6', async () => {
    const six = { nodeName: 'n1', address: 'fd00::2' }
    const { certificatePem } = await selfSignedCertificate(six, Date.now())
    expect(new X509Certificate(certificatePem).checkIP('fd00::2')).toBe('fd00::2')
    const { requestPem } = await certificateRequest(six)
    expect(new Pkcs10CertificateRequest(requestPem).extensions).toHaveLength(1)
  })
})

describe('where it listens', () => {
  it('serves on an IPv6 address, with a certificate for it that is kept over a restart', async () => {
    const host = new URL('http://[0:0:0:0:0:0:0:1]').hostname.slice(1, -1)
    const listening = async (): Promise<readonly [X509Certificate | undefined, number]> => {
      const started = await start({ authorization: { mode: 'AlwaysAllow' } }, 0, host)
      if (!started.ok) throw new Error(started.error)
      running = started.value
      expect(addressText(running.address)).toMatch(/^\[::1\]:\d+$/)
      const socket = connect({ host, port: running.address.port, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      return [certificate, running.address.port]
    }
    const [first, port] = await listening()
    expect(first?.checkIP(host)).toBe(host)
    const taken = await start({}, port, host)
    expect(taken).toEqual({
      ok: false,
      error: `[::1]:${port} is in use by another program: choose another port with --kubelet-address IP:PORT.`,
    })
    await running?.stop()
    const [second] = await listening()
    expect(second?.fingerprint256).toBe(first?.fingerprint256)
  })

  it('is said when it cannot', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { readonly port: number }
    expect(await start({}, port)).toEqual({
      ok: false,
      error: `127.0.0.1:${port} is in use by another program: choose another port with --kubelet-address IP:PORT.`,
    })
    taken.close()
    expect(await start({}, 0, '203.0.113.9')).toEqual({
      ok: false,
      error: '203.0.113.9 is not an address of this machine: pass one to --kubelet-address.',
    })
    expect(await start({ authorization: { mode: 'Maybe' } })).toEqual({
      ok: false,
      error:
        'The kubelet configuration has the unknown authorization mode "Maybe": use Webhook or AlwaysAllow.',
    })
  })
})
