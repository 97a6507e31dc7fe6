import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CredentialSource } from '../../cluster/kubeconfig/credential.ts'
import {
  makeCertificates,
  TestHttpsServer,
  type TestCertificates,
} from '../../cluster/transport/fake-https-server.ts'
import { directWay } from './direct-way.ts'
import type { KubeletWay } from './direct-way.ts'
import type { KubeletTrust } from './kubelet-certificate.ts'

let certificates: TestCertificates
let server: TestHttpsServer
let seen: { readonly path: string; readonly authorization: string | undefined }[] = []
let ways: KubeletWay[] = []

function credentialsWith(ca: string | undefined): CredentialSource {
  return {
    get: () =>
      Promise.resolve({
        tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
        headers: { authorization: 'Bearer secret', 'impersonate-user': 'x' },
      }),
    refused: () => undefined,
  }
}

beforeAll(async () => {
  certificates = await makeCertificates()
  server = new TestHttpsServer(certificates)
  await server.listen()
})

beforeEach(() => {
  seen = []
  server.handler = ({ url = '', headers }, response) => {
    seen.push({ path: url, authorization: headers.authorization })
    if (url === '/moved') response.writeHead(302, { location: 'https://example.com/' }).end()
    else if (url === '/zipped') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)))
    } else if (url === '/slow') return
    else response.writeHead(200).end('ok')
  }
})

afterAll(async () => {
  for (const way of ways) await way.close()
  await server.close()
})

// Loopback is for a Node's address to be refused, so that only this test lets it through.
function wayWith(
  { clusterCa, acceptedFingerprint }: Partial<KubeletTrust>,
  more: { maxBytes?: number; timeoutMs?: number } = {},
): KubeletWay {
  const way = directWay({
    nodeName: 'worker-3',
    address: { host: '127.0.0.1', port: server.port },
    credentials: credentialsWith(clusterCa),
    acceptedFingerprint,
    isAllowedPeer: () => true,
    ...more,
  })
  ways.push(way)
  return way
}

describe('the direct way to a kubelet', () => {
  it('sends the token to a kubelet whose certificate the cluster’s CA has signed', async () => {
    const way = wayWith({ clusterCa: certificates.ca })
    expect(await way.get('/pods')).toEqual({ ok: true, value: { status: 200, body: 'ok' } })
    expect(seen).toEqual([{ path: '/pods', authorization: 'Bearer secret' }])
    expect(way.certificate()?.verifiedBy).toBe('cluster CA')
  })

  it('sends nothing at all to a kubelet with another certificate, and shows its fingerprint', async () => {
    const way = wayWith({ clusterCa: (await makeCertificates()).ca })
    const answer = await way.get('/pods')
    expect(answer).toMatchObject({ ok: false, error: { kind: 'untrusted' } })
    expect(seen).toEqual([])
    expect(way.certificate()).toMatchObject({
      verifiedBy: undefined,
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    })
  })

  it('sends nothing where no CA of the cluster is known', async () => {
    expect(await wayWith({}).get('/pods')).toMatchObject({
      ok: false,
      error: { kind: 'untrusted' },
    })
    expect(seen).toEqual([])
  })

  it('sends the token where the user has accepted the fingerprint, and not to a certificate that replaces it', async () => {
    const looked = wayWith({})
    await looked.get('/pods')
    const acceptedFingerprint = looked.certificate()?.fingerprint
    const way = wayWith({ acceptedFingerprint })
    expect(await way.get('/pods')).toMatchObject({ ok: true })
    expect(way.certificate()?.verifiedBy).toBe('accepted')
    expect(seen).toHaveLength(1)
    const { port } = server
    await server.close()
    server = new TestHttpsServer(await makeCertificates())
    await server.listen(port)
    server.handler = (request, response) => {
      seen.push({ path: request.url ?? '', authorization: request.headers.authorization })
      response.end('stolen')
    }
    const later = await way.get('/pods')
    expect(later).toMatchObject({ ok: false, error: { kind: 'untrusted' } })
    expect(seen).toHaveLength(1)
    await server.close()
    server = new TestHttpsServer(certificates)
    await server.listen(port)
  })

  it('follows no redirect', async () => {
    const way = wayWith({ clusterCa: certificates.ca })
    expect(await way.get('/moved')).toMatchObject({ ok: true, value: { status: 302 } })
  })

  it('unpacks, and reads no more than its limit', async () => {
    const way = wayWith({ clusterCa: certificates.ca })
    expect(await way.get('/zipped')).toMatchObject({ ok: true, value: { body: 'x'.repeat(5000) } })
    const small = wayWith({ clusterCa: certificates.ca }, { maxBytes: 1000 })
    expect(await small.get('/zipped')).toMatchObject({ ok: false, error: { kind: 'away' } })
  })

  it('gives up after its time limit', async () => {
    const way = wayWith({ clusterCa: certificates.ca }, { timeoutMs: 300 })
    expect(await way.get('/slow')).toMatchObject({ ok: false, error: { kind: 'away' } })
  })

  it('says so where nothing listens', async () => {
    const way = directWay({
      nodeName: 'worker-3',
      address: { host: '127.0.0.1', port: 1 },
      credentials: credentialsWith(certificates.ca),
      acceptedFingerprint: undefined,
      isAllowedPeer: () => true,
    })
    expect(await way.get('/pods')).toMatchObject({ ok: false, error: { kind: 'refused' } })
  })

  it('does not ask this machine by a Node’s address', async () => {
    const way = directWay({
      nodeName: 'worker-3',
      address: { host: '127.0.0.1', port: server.port },
      credentials: credentialsWith(certificates.ca),
      acceptedFingerprint: undefined,
    })
    expect(await way.get('/pods')).toMatchObject({ ok: false })
    expect(seen).toEqual([])
  })
})
