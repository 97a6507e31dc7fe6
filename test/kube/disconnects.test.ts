import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { parseDocument } from 'yaml'
import { startSandboxNode, type ServerUnderTest } from './servers.ts'

// Clients of exec, attach, logs and port-forward that are gone in the middle, without a word. The sandbox runs in this process,
// so that what they leave behind is counted here.

const node = 'n1'
const pods = '/api/v1/namespaces/default/pods'
const pod = `${pods}/busy`
// The server keeps an idle connection for two minutes.
const json = {
  accept: 'application/json',
  'content-type': 'application/json',
  connection: 'close',
}

let server: ServerUnderTest

/** Sockets that keep the process running. */
function openResources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return { sockets: counts['TCPSocketWrap'] ?? 0, tls: counts['TLSWrap'] ?? 0 }
}

function credentials(): { readonly ca: Buffer; readonly authorization: string } {
  const kubeconfig = parseDocument(server.kubeconfig)
  const ca = kubeconfig.getIn(['clusters', 0, 'cluster', 'certificate-authority-data'])
  const token = kubeconfig.getIn(['users', 0, 'user', 'token'])
  return { ca: Buffer.from(String(ca), 'base64'), authorization: `Bearer ${String(token)}` }
}

function open(path: string, protocol: string): Promise<WebSocket> {
  const { ca, authorization } = credentials()
  const url = `${server.url.replace(/^http/, 'ws')}${path}`
  const socket = new WebSocket(url, protocol, { ca, headers: { authorization } })
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Resolves with what a stream prints up to the pattern. */
function printed(socket: WebSocket, pattern: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('message', (data: Buffer) => {
      text += data.toString('utf8', 1)
      if (pattern.test(text)) resolve(text)
    })
  })
}

function execPath(...command: readonly string[]): string {
  const query = new URLSearchParams([
    ['container', 'c'],
    ['stdin', 'true'],
    ['stdout', 'true'],
    ['stderr', 'true'],
  ])
  for (const word of command) query.append('command', word)
  return `${pod}/exec?${query.toString()}`
}

async function ended(command: readonly string[]): Promise<string> {
  const socket = await open(execPath(...command), 'v5.channel.k8s.io')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const text = await printed(socket, /"status":"(Success|Failure)"/)
  await closed
  return text
}

describe('a client that is gone in the middle', () => {
  let before: Readonly<Record<string, number>>

  beforeAll(async () => {
    server = await startSandboxNode(node)
    const container = {
      name: 'c',
      image: 'busybox',
      stdin: true,
      command: ['sh', '-c', 'while true; do echo tick; sleep 0.05; done'],
    }
    const server_ = { name: 'web', image: 'nginx' }
    const spec = {
      nodeName: node,
      automountServiceAccountToken: false,
      containers: [container, server_],
    }
    const body = JSON.stringify({ metadata: { name: 'busy' }, spec })
    await (await server.send({ method: 'POST', path: pods, headers: json, body })).body.dump()
    await vi.waitFor(async () => {
      const { body: read } = await server.send({ method: 'GET', path: pod, headers: json })
      expect(await read.text()).toContain('"phase":"Running"')
    }, 30_000)
    const first = await open(`${pod}/attach?container=c&stdout=true`, 'v5.channel.k8s.io')
    await printed(first, /tick/)
    first.terminate()
    // Until the first connections, of the test itself, are gone.
    await vi.waitFor(() => {
      before = openResources()
      expect(before).toEqual({ sockets: 0, tls: 0 })
    }, 50_000)
  })

  afterAll(() => server.stop())

  async function expectNothingLeft(): Promise<void> {
    await expect.poll(openResources).toEqual(before)
    expect(server.logged).toEqual([])
  }

  it('of attach leaves no socket', async () => {
    const socket = await open(`${pod}/attach?container=c&stdout=true`, 'v5.channel.k8s.io')
    await printed(socket, /tick/)
    socket.terminate()
    await expectNothingLeft()
  })

  it('of logs -f leaves no socket', async () => {
    const path = `${pod}/log?container=c&follow=true`
    const { body } = await server.send({ method: 'GET', path, headers: json })
    for await (const data of body) if (String(data).includes('tick')) break
    body.destroy()
    await expectNothingLeft()
  })

  it('of port-forward leaves no socket', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1' }
    const headers = {
      ...upgrade,
      'x-stream-protocol-version': 'portforward.k8s.io',
      authorization: credentials().authorization,
    }
    const socket = await new Promise<Duplex>((resolve, reject) => {
      const asked = request(`${server.url}${pod}/portforward`, {
        method: 'POST',
        ca: credentials().ca,
        headers,
        agent: false,
      })
      asked.once('upgrade', (_response, upgraded) => {
        resolve(upgraded)
      })
      asked.once('error', reject)
      asked.end()
    })
    // A ping of SPDY is answered, so that the connection stands.
    const answered = new Promise((resolve) => socket.once('data', resolve))
    socket.write(Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]))
    await answered
    socket.destroy()
    await expectNothingLeft()
  })

  it('of a watch leaves no socket', async () => {
    const path = `${pods}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`
    const { body } = await server.send({ method: 'GET', path, headers: json })
    for await (const data of body) if (String(data).includes('busy')) break
    body.destroy()
    await expectNothingLeft()
  })

  it('of exec that does not read what the command prints leaves no process and no socket', async () => {
    const script = 'echo starts; while true; do echo x >> /tmp/unread; seq 1 2000; sleep 0.05; done'
    const socket = await open(execPath('sh', '-c', script), 'v5.channel.k8s.io')
    await printed(socket, /starts/)
    socket.pause()
    const size = 'wc -c < /tmp/unread'
    const twice = (): Promise<string> => ended(['sh', '-c', `${size}; sleep 0.5; ${size}`])
    expect(await twice()).not.toMatch(/^(\d+)\n\1\n/)
    socket.terminate()
    await expect.poll(twice).toMatch(/^(\d+)\n\1\n/)
    await expectNothingLeft()
  })

  it('of exec leaves no process', async () => {
    const script = 'echo starts; while true; do echo x >> /tmp/alive; sleep 0.05; done'
    const socket = await open(execPath('sh', '-c', script), 'v5.channel.k8s.io')
    await printed(socket, /starts/)
    const size = 'wc -c < /tmp/alive'
    const twice = (): Promise<string> => ended(['sh', '-c', `${size}; sleep 0.5; ${size}`])
    expect(await twice()).not.toMatch(/^(\d+)\n\1\n/)
    socket.terminate()
    await expect.poll(twice).toMatch(/^(\d+)\n\1\n/)
  })
})
