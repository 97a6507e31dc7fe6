import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'
import { maxManifestLength } from '../../../shared/ipc/limits.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import { FakeSessionChannel } from '../fake-session-channel.ts'
import { findStaticFiles } from './static-files.ts'
import { WebServer } from './web-server.ts'

const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz012-_9'
const goodProtocols = ['nodescope.v1', `nodescope.token.${token}`]

let folder: string
let server: WebServer
let channel: FakeSessionChannel
let log: FakeLog
let port: number

async function startServer(wantedPort: number | null, preferredPort?: number): Promise<WebServer> {
  const files = await findStaticFiles(folder)
  return new WebServer({ port: wantedPort, preferredPort, token, files, clock: systemClock, log })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'web-server-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="connect-src 'self'" />`,
  )
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'a b.woff2'), 'font')
  writeFileSync(join(folder, 'odd.xyz'), '?')
  log = new FakeLog()
  channel = new FakeSessionChannel()
  server = await startServer(null)
  const address = await server.start()
  if (!address.ok) throw new Error(address.error)
  port = Number(new URL(address.value).port)
  server.serve(channel)
})
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Raw, so that neither path nor Host is tidied up on the way. */
function ask(path: string, options: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', host = `127.0.0.1:${port}` } = options
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { host } })
    outgoing.on('error', reject).on('response', (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    outgoing.end()
  })
}

/** A page: the messages that it has received, and the end of its connection. */
class Page {
  readonly frames: unknown[] = []
  readonly socket: WebSocket
  readonly ended: Promise<{ code: number; reason: string }>
  #onFrame = (): void => undefined

  constructor(protocols: readonly string[], options: ClientOptions = {}, path = '/ws') {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], {
      origin: `http://127.0.0.1:${port}`,
      ...options,
    })
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()))
      this.#onFrame()
    })
    this.ended = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: reason.toString() })
      })
    })
  }

  async received(count: number): Promise<readonly unknown[]> {
    while (this.frames.length < count)
      await new Promise<void>((resolve) => {
        this.#onFrame = resolve
      })
    return this.frames
  }
}

/** The status and sentence of a handshake that the server turns down. */
function turnedDown(
  protocols: readonly string[],
  options: ClientOptions,
  path?: string,
): Promise<string> {
  const { socket } = new Page(protocols, options, path)
  return new Promise((resolve, reject) => {
    socket.on('error', () => undefined)
    socket.on('open', () => {
      reject(new Error('it was let in'))
    })
    socket.on('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => {
        resolve(`${response.statusCode} ${body}`)
        socket.terminate()
      })
    })
  })
}

describe('the files of the page', () => {
  it('are served with their type and a strict policy', async () => {
    const index = await ask('/?theme=light')
    expect({ status: index.status, body: index.body }).toEqual({
      status: 200,
      body: '<!doctype html>',
    })
    expect(index.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    const policy = String(index.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
  })

  it.each([
    ['/index.html', 200, 'text/html; charset=utf-8', 'no-store'],
    ['/assets/index-abc.js', 200, 'text/javascript; charset=utf-8', 'max-age=31536000, immutable'],
    ['/assets/a%20b.woff2', 200, 'font/woff2', 'max-age=31536000, immutable'],
    ['/odd.xyz', 200, 'application/octet-stream', 'no-store'],
    ['/none.js', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/assets', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/../index.html', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/%2e%2e/%2e%2e/etc/passwd', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/assets/%00', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/%E0%A4%A', 404, 'text/plain; charset=utf-8', 'no-store'],
    ['/ws', 404, 'text/plain; charset=utf-8', 'no-store'],
  ])('%s: %i', async (path, status, type, cache) => {
    const { headers, ...answer } = await ask(path)
    expect([answer.status, headers['content-type'], headers['cache-control']]).toEqual([
      status,
      type,
      cache,
    ])
  })

  it('are refused to other hosts and methods with a sentence', async () => {
    expect(await ask('/', { host: 'evil.example' })).toMatchObject({
      status: 403,
      body: 'This server answers only to 127.0.0.1 and localhost.\n',
    })
    expect(await ask('/', { method: 'POST' })).toMatchObject({
      status: 405,
      body: 'Only GET and HEAD are served here.\n',
    })
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })
})

describe('the WebSocket', () => {
  it('accepts a page with the token, answers its requests and sends its events', async () => {
    channel.answer = (_name, args) => Promise.resolve({ echo: args })
    const page = new Page(goodProtocols)
    await page.received(1)
    expect(page.socket.protocol).toBe('nodescope.v1')
    page.socket.send(JSON.stringify({ id: 1, name: 'pod.describe', args: { key: 'a' } }))
    await page.received(2)
    channel.connections[0]?.send('view.patched', {
      epoch: 'e',
      number: 1,
      now: {},
      upserts: [],
      removed: [],
      clusters: [],
      closed: [],
    })
    expect(await page.received(3)).toEqual([
      { accepted: true },
      { id: 1, reply: { echo: { key: 'a' } } },
      {
        event: 'view.patched',
        payload: {
          epoch: 'e',
          number: 1,
          now: {},
          upserts: [],
          removed: [],
          clusters: [],
          closed: [],
        },
      },
    ])
    page.socket.close()
    await page.ended
    await expect.poll(() => channel.connections[0]?.isClosed).toBe(true)
  })

  it('gives each page its own connection', async () => {
    const pages = [new Page(goodProtocols), new Page(goodProtocols)]
    for (const page of pages) await page.received(1)
    expect(channel.connections.length).toBe(2)
    pages[0]?.socket.terminate()
    await expect
      .poll(() => channel.connections.filter((connection) => connection.isClosed).length)
      .toBe(1)
  })

  it('closes with a sentence if the token is wrong or missing, without a call of the session', async () => {
    const refusal = {
      code: 4401,
      reason: 'Access token invalid: open the address that Nodescope printed when it started.',
    }
    const wrong = new Page(['nodescope.v1', `nodescope.token.${'x'.repeat(32)}`])
    wrong.socket.on('open', () => {
      wrong.socket.send(JSON.stringify({ id: 1, name: 'view.open', args: {} }))
    })
    expect(await wrong.ended).toEqual(refusal)
    expect(await new Page(['nodescope.v1']).ended).toEqual(refusal)
    expect(await new Page([]).ended).toEqual(refusal)
    expect(wrong.frames).toEqual([])
    expect(channel.connections).toEqual([])
  })

  it('reads nothing from a refused page, and ends its connection', async () => {
    // By hand, since a client of WebSockets would answer the close: this one goes on sending.
    const raw = await new Promise<Socket>((resolve) => {
      const handshake = request({
        host: '127.0.0.1',
        port,
        path: '/ws',
        headers: {
          origin: `http://127.0.0.1:${port}`,
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': Buffer.alloc(16).toString('base64'),
          'sec-websocket-protocol': 'nodescope.v1',
        },
      })
      handshake.on('upgrade', (_response, socket) => resolve(socket as Socket))
      handshake.end()
    })
    let isOver = false
    raw.on('close', () => {
      isOver = true
    })
    raw.on('error', () => undefined)
    raw.resume()
    // The beginning of a message, and small parts of it without end.
    const part = (opcode: number): Buffer =>
      Buffer.concat([Buffer.from([opcode, 0xfe, 0x01, 0x00, 0, 0, 0, 0]), Buffer.alloc(256)])
    raw.write(part(1))
    const startedAt = performance.now()
    while (!isOver && performance.now() - startedAt < 15_000) {
      if (!raw.writableNeedDrain) raw.write(part(0))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    raw.destroy()
    expect(isOver).toBe(true)
  })

  it.each<[string, ClientOptions, string | undefined, string]>([
    [
      'another origin',
      { origin: 'https://evil.example' },
      undefined,
      '403 Only the dashboard may connect here.',
    ],
    ['no origin', { origin: '' }, undefined, '403 Only the dashboard may connect here.'],
    [
      'another host',
      { origin: 'http://evil.example', headers: { host: 'evil.example' } },
      undefined,
      '403 This server answers only to 127.0.0.1 and localhost.',
    ],
    ['another path', {}, '/other', '404 Not found.'],
    ['the token in the URL', {}, `/ws?token=${token}`, '404 Not found.'],
  ])('turns down %s even with the token', async (_what, options, path, expected) => {
    expect(await turnedDown(goodProtocols, options, path)).toBe(expected)
    expect(channel.connections).toEqual([])
  })

  it.each([
    ['{', 'A frame must be JSON.'],
    ['null', 'A frame needs an id.'],
    ['[]', 'A frame needs an id.'],
    ['{"name":"view.open"}', 'A frame needs an id.'],
    ['{"id":"1"}', 'The id of a frame must be a whole number.'],
    ['{"id":-1}', 'The id of a frame must be a whole number.'],
    ['{"id":1.5}', 'The id of a frame must be a whole number.'],
  ])('answers the malformed frame %s and stays open', async (text, error) => {
    const page = new Page(goodProtocols)
    await page.received(1)
    page.socket.send(text)
    page.socket.send(Buffer.from([1, 2, 3]))
    page.socket.send('{"id":2,"name":"view.open","args":{}}')
    expect(await page.received(4)).toEqual([
      { accepted: true },
      { id: null, error },
      { id: null, error: 'A frame must be text.' },
      { id: 2, reply: null },
    ])
  })

  it('answers a malformed request with the sentence of the check', async () => {
    const page = new Page(goodProtocols)
    await page.received(1)
    page.socket.send('{"id":3}')
    page.socket.send('{"id":4,"name":"__proto__","args":{}}')
    page.socket.send('{"id":5,"name":"pod.kill","args":{"key":"k","gracePeriodSeconds":-1}}')
    expect((await page.received(4)).slice(1)).toEqual([
      { id: 3, error: 'A request needs a name.' },
      { id: 4, error: 'There is no request "__proto__".' },
      {
        id: 5,
        error:
          'The request pod.kill is malformed: gracePeriodSeconds must be a whole number from 0 to 31536000.',
      },
    ])
    expect(channel.connections[0]?.requests).toEqual([])
  })

  it('disconnects a page that sends too much or breaks the protocol, and serves the next one', async () => {
    const greedy = new Page(goodProtocols)
    await greedy.received(1)
    greedy.socket.send('x'.repeat(6 * maxManifestLength + 64 * 1024 + 1))
    expect((await greedy.ended).code).toBe(1009)

    const broken = new Page(goodProtocols)
    await broken.received(1)
    // A text frame whose reserved bits are set, under the client library's nose.
    const raw = (broken.socket as unknown as { _socket: { write: (bytes: Buffer) => void } })
      ._socket
    raw.write(Buffer.from([0xf1, 0x80, 0, 0, 0, 0]))
    expect((await broken.ended).code).toBe(1002)

    const next = new Page(goodProtocols)
    expect(await next.received(1)).toEqual([{ accepted: true }])
  })

  it('continues after a connection drops during a handshake', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    socket.resetAndDestroy()
    expect((await ask('/')).status).toBe(200)
  })
})

describe('the web server', () => {
  it('listens first, and accepts pages once there is a session', async () => {
    const early = await startServer(null)
    const address = await early.start()
    port = Number(new URL(address.ok ? address.value : '').port)
    expect(await turnedDown(goodProtocols, {})).toBe('503 Nodescope is starting.')
    early.serve(channel)
    expect(await new Page(goodProtocols).received(1)).toEqual([{ accepted: true }])
    await early.stop()
  })

  it('returns an address with the token in the fragment', async () => {
    const other = await startServer(null)
    expect(await other.start()).toMatchObject({
      ok: true,
      value: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#${token}$`)),
    })
    await other.stop()
  })

  it('uses the preferred port if it is free, else another one', async () => {
    const other = await startServer(null, port)
    const address = await other.start()
    if (!address.ok) throw new Error(address.error)
    const taken = Number(new URL(address.value).port)
    expect(taken).not.toBe(port)
    await other.stop()
    const again = await startServer(null, taken)
    expect(await again.start()).toEqual({ ok: true, value: `http://127.0.0.1:${taken}/#${token}` })
    await again.stop()
  })

  it('names --port if the port is in use', async () => {
    const second = await startServer(port)
    expect(await second.start()).toEqual({
      ok: false,
      error: `Port ${port} on 127.0.0.1 is in use: choose another with --port.`,
    })
  })

  it('closes all connections on stop', async () => {
    const page = new Page(goodProtocols)
    await page.received(1)
    await server.stop()
    expect((await page.ended).code).toBe(1006)
    await expect(ask('/')).rejects.toThrow('ECONNREFUSED')
  })
})
