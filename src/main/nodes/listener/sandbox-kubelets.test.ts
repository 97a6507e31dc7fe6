import { once } from 'node:events'
import { request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { WebSocket } from 'ws'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { MemorySandbox } from '../../../../test/memory-sandbox/memory-sandbox.ts'
import { apiServerCaller } from '../../sandbox/auth/caller.ts'
import { createSandboxAccess } from './sandbox-access.ts'
import type { SandboxAccess } from './sandbox-access.ts'
import { startSandboxKubelets } from './sandbox-kubelets.ts'
import type { SandboxKubelets } from './sandbox-kubelets.ts'

let cluster: MemorySandbox
let access: SandboxAccess
let kubelets: SandboxKubelets
const log = new FakeLog()

beforeEach(async () => {
  cluster = new MemorySandbox({ seed: 1, startAt: Date.now(), nodeNames: ['n1', 'n2'], log })
  access = await createSandboxAccess()
  const { sandbox, clock } = cluster
  const nodeNames = ['n1', 'n2']
  const nodeToken = { user: 'system:node:n1', groups: ['system:nodes'], client: '' }
  const credentials = new Map([...access.credentials, ['of-a-node', nodeToken]])
  const deps = { nodeNames, port: 0, ...access, credentials, sandbox: () => sandbox, clock, log }
  const started = await startSandboxKubelets(deps)
  if (!started.ok) throw new Error(started.error)
  kubelets = started.value
  cluster.start()
  clock.run()
})

afterEach(async () => {
  await kubelets.stop()
  cluster.clock.pause()
  cluster.stop()
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = { authorization: `Bearer ${access.token}` },
  { method = 'GET', body = '', node = 'n1', tls = {} } = {},
): Promise<Answer> {
  const port = kubelets.ports.get(node)
  const options = { host: '127.0.0.1', port, path, method, headers, agent: false as const }
  const request = httpsRequest({ ...options, ...tls, ca: access.certificates.caPem })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode,
    headers: response.headers,
    body: Buffer.concat(chunks),
  }
}

describe('the kubelets of a sandbox', () => {
  it('answer over HTTPS to the bearer of the sandbox’s token', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: Buffer.from('ok') })
    const metrics = await ask('/metrics', undefined, { node: 'n2' })
    expect(metrics.headers['content-type']).toMatch(/^text\/plain; version=0.0.4/)
    expect(metrics.body.toString()).toContain('kubelet_node_name{node="n2"} 1\n')
  })

  it('know a service account by its token, as the API server does', async () => {
    const path = '/api/v1/namespaces/kube-system/serviceaccounts/default/token'
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const { server } = cluster.sandbox
    const answer = await server.handle({ method: 'POST', path, body }, apiServerCaller)
    if (answer.kind !== 'object') throw new Error('an answer')
    const { status } = answer.body as { readonly status?: { readonly token?: string } }
    expect(await ask('/pods', { authorization: `Bearer ${status?.token}` })).toMatchObject({
      status: 200,
    })
    expect(await ask('/pods', { authorization: `Bearer ${status?.token}x` })).toMatchObject({
      status: 401,
    })
  })

  it('know the administrator by a client certificate, and name nobody for another one', async () => {
    const { clientCertificate } = access
    const tls = { cert: clientCertificate?.certificatePem, key: clientCertificate?.keyPem }
    expect(await ask('/pods', {}, { tls })).toMatchObject({ status: 200 })
    const other = (await createSandboxAccess()).clientCertificate
    const wrong = { cert: other?.certificatePem, key: other?.keyPem }
    expect(await ask('/pods', {}, { tls: wrong })).toMatchObject({ status: 401 })
  })

  it('compress metrics for clients that accept gzip', async () => {
    const authorization = `Bearer ${access.token}`
    const { headers, body } = await ask('/metrics', { authorization, 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(body).toString()).toContain('kubelet_node_name{node="n1"} 1\n')
  })

  it.each([{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic YTpi' }])(
    'refuse %j',
    async (headers) => {
      const { status, body } = await ask('/pods', headers)
      expect([status, body.toString()]).toEqual([401, 'Unauthorized'])
    },
  )

  it('name the right that a node lacks', async () => {
    const { status, body } = await ask('/metrics', { authorization: 'Bearer of-a-node' })
    expect([status, body.toString()]).toEqual([
      403,
      'Forbidden (user=system:node:n1, verb=get, resource=nodes, subresource(s)=[metrics])\n',
    ])
  })

  it('answer HEAD without a body, refuse methods and know no other paths', async () => {
    const head = await ask('/configz', undefined, { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(await ask('/pods', undefined, { method: 'POST', body: 'x'.repeat(1e6) })).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    })
    expect(await ask('/nope', {})).toMatchObject({ status: 404 })
    expect(await ask('/%zz', {})).toMatchObject({ status: 400 })
  })

  it('refuse an upgrade on paths without streams, and strange ones', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1' }
    const headers = { ...upgrade, authorization: `Bearer ${access.token}` }
    expect(await ask('/exec/default/none/c?output=1&command=true', headers)).toMatchObject({
      status: 404,
      body: Buffer.from('pod does not exist'),
    })
    expect(await ask('/exec/default/none/c?output=1', upgrade)).toMatchObject({ status: 401 })
    expect(await ask('//', headers)).toMatchObject({ status: 307 })
    expect(await ask('/%zz', headers)).toMatchObject({ status: 400 })
  })

  it('run a command over a WebSocket', async () => {
    await cluster.createPod({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', uid: '' },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'busybox:1.36', command: ['sleep', '100000'] }],
      },
    })
    const isRunning = async (): Promise<boolean> =>
      (await ask('/runningpods/')).body.toString().includes('"name":"c"')
    await expect.poll(isRunning, { timeout: 10_000 }).toBe(true)
    const query = 'command=echo&command=a%20b&output=1'
    const client = new WebSocket(
      `wss://127.0.0.1:${kubelets.ports.get('n1')}/exec/default/p/c?${query}`,
      'v5.channel.k8s.io',
      {
        ca: access.certificates.caPem,
        headers: { authorization: `Bearer ${access.token}` },
      },
    )
    let text = ''
    client.on('message', (data: Buffer) => {
      if (data[0] === 1) text += data.subarray(1).toString()
    })
    await once(client, 'close')
    expect(text).toBe('a b\n')
  })

  it('refuse headers of more than a mebibyte', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: kubelets.ports.get('n1') ?? 0,
      ca: access.certificates.caPem,
    })
    await once(socket, 'secureConnect')
    socket.on('error', () => undefined)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('GET /pods HTTP/1.1\r\nHost: x\r\n')
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
    })
    for (let index = 0; index < 160 && !socket.destroyed; index++)
      socket.write(`X-${index}: ${'x'.repeat(65_536)}\r\n`)
    await closed
    expect(text === '' || text.startsWith('HTTP/1.1 431 ')).toBe(true)
    expect(await ask('/healthz')).toMatchObject({ status: 200 })
  })

  it('close the connection while the kubelet does not run', async () => {
    cluster.node('n1').stopKubelet()
    await expect(ask('/healthz')).rejects.toThrow(/hang up|ECONNRESET/)
    cluster.node('n1').startKubelet()
    expect(await ask('/healthz')).toMatchObject({ status: 200 })
  })

  it('follow each other’s ports, and name one that is taken', async () => {
    const { sandbox, clock } = cluster
    const port = kubelets.ports.get('n1') ?? 0
    const deps = { nodeNames: ['n1'], port, ...access, sandbox: () => sandbox, clock, log }
    expect(await startSandboxKubelets(deps)).toEqual({
      ok: false,
      error: `Port ${port} on 127.0.0.1, for the kubelet of n1, is in use by another program: choose another with --kubelet-port (0 takes any free one).`,
    })
  })
})
