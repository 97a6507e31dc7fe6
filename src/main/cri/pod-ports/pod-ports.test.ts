import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { nodePodNetwork } from '../../pod-network/node-pod-network.ts'
import type { Listener } from '../../runtimes/simulated/network/listener.ts'
import { textAnswer } from '../../runtimes/simulated/network/web-site.ts'
import { err, ok } from '../../../shared/result.ts'
import { PodPorts } from './pod-ports.ts'

const host = '127.0.0.1'
const timeoutMs = 10_000

let clock: VirtualClock
let log: FakeLog
let ports: PodPorts
const others: Server[] = []

beforeEach(() => {
  clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  log = new FakeLog()
  ports = new PodPorts({ clock, log })
})

afterEach(() => {
  ports.stop()
  for (const server of others.splice(0)) server.close()
})

async function taken(): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer().listen(0, host)
  others.push(server)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, server }
}

async function freePort(): Promise<number> {
  const { port, server } = await taken()
  server.close()
  await once(server, 'close')
  return port
}

/** The status code and body, or the error. */
async function get(port: number, scheme: 'http' | 'https' = 'http'): Promise<string> {
  const request = { scheme, host, port, path: '/a?b', headers: [['X-Name', 'value']] } as const
  const got = await nodePodNetwork.httpGet({ ...request, timeoutMs })
  return got.ok ? `${got.value.statusCode} ${got.value.body}` : got.error
}

async function connect(port: number): Promise<string> {
  const connected = await nodePodNetwork.tcpConnect({ host, port, timeoutMs })
  return connected.ok ? 'open' : connected.error
}

async function check(port: number, service = '', limit = timeoutMs): Promise<unknown> {
  const asked = { host, port, timeoutMs: limit, service, userAgent: '' }
  const checked = await nodePodNetwork.grpcHealthCheck(asked)
  return checked.ok ? checked.value : checked.error
}

const site: Listener = {
  http: ({ method, path, headers, from }) => {
    const [, name] = headers.find(([key]) => key === 'X-Name') ?? []
    return textAnswer(404, `${method} ${path} ${name} ${from}`)
  },
}

describe('PodPorts', () => {
  it('answers HTTP requests, and refuses connections once the port is closed', async () => {
    const port = await freePort()
    const close = ports.listen(host, port, site)
    expect(await get(port)).toBe(`404 GET /a?b value ${host}`)
    expect(await get(port, 'https')).toBe('http: server gave HTTP response to HTTPS client')
    expect(await connect(port)).toBe('open')
    close()
    expect(await get(port)).toBe(`dial tcp ${host}:${port}: connect: connection refused`)
  })

  it('sends the headers of an answer, without what a header cannot hold', async () => {
    const port = await freePort()
    ports.listen(host, port, {
      http: () => ({ statusCode: 302, body: '', headers: [['Location', '/b\r\nX: c\0']] }),
    })
    const request = { scheme: 'http', host, port, path: '/', headers: [], timeoutMs } as const
    const got = await nodePodNetwork.httpGet(request)
    expect(got.ok ? got.value.headers : got.error).toContainEqual(['Location', '/b  X: c'])
  })

  it.each([0, 99, 1000, 200.5])('closes the connection instead of the status %s', async (code) => {
    const port = await freePort()
    ports.listen(host, port, { http: () => textAnswer(code, '') })
    expect(await get(port)).toBe('EOF')
  })

  it('answers health checks, on the port of a site too', async () => {
    const port = await freePort()
    ports.listen(host, port, {
      ...site,
      health: (service) =>
        service === ''
          ? ok('NOT_SERVING')
          : err({ kind: 'status', code: 'NotFound', message: 'unknown service' }),
    })
    expect(await check(port)).toBe('NOT_SERVING')
    expect(await check(port, 'other')).toEqual({
      kind: 'status',
      code: 'NotFound',
      message: 'unknown service',
    })
    expect(await get(port)).toMatch(/^404 /)
  })

  it('ends connections that ask for what it does not serve', async () => {
    const port = await freePort()
    ports.listen(host, port, {})
    expect(await get(port)).toMatch(/^EOF$|connection reset by peer$/)
    expect(await check(port, '', 500)).toEqual({ kind: 'not-connected' })
    const silent = await freePort()
    ports.listen(host, silent, { http: () => undefined })
    expect(await get(silent)).toBe('EOF')
  })

  it('reports a connection on which nothing is sent', async () => {
    const port = await freePort()
    const connected = new Promise<void>((resolve) => {
      ports.listen(host, port, { onConnect: resolve })
    })
    expect(await connect(port)).toBe('open')
    await connected
  })

  it('opens a port when its listener opens', async () => {
    const port = await freePort()
    let isOpen = false
    ports.listen(host, port, { ...site, isOpen: () => isOpen })
    expect(await connect(port)).toMatch(/connection refused$/)
    isOpen = true
    await clock.advance(200)
    expect(await get(port)).toMatch(/^404 /)
  })

  it('closes a port of another protocol than HTTP while it fails', async () => {
    const port = await freePort()
    let isFailing = false
    ports.listen(host, port, { isFailing: () => isFailing })
    expect(await connect(port)).toBe('open')
    isFailing = true
    await clock.advance(200)
    expect(await connect(port)).toMatch(/connection refused$/)
    isFailing = false
    await clock.advance(200)
    expect(await connect(port)).toBe('open')
  })

  it('logs why a port cannot be opened', async () => {
    const { port } = await taken()
    ports.listen(host, port, site)
    await expect.poll(() => JSON.stringify(log.lines)).toContain('EADDRINUSE')
  })
})
