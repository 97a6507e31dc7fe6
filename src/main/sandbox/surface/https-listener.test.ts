import { createServer } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { Agent, request as send } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import type {
  KubeRequest,
  KubeResponse,
  WatchEvent,
  WatchStream,
} from '../../../shared/kubernetes/request.ts'
import type { Log } from '../../kubelet/ports.ts'
import type { Caller } from '../api-server.ts'
import { startHttpsListener, type HttpsListener } from './https-listener.ts'
import { forbiddenStatus, isPrivileged } from '../auth/authorizer.ts'

const admin: Caller = { user: 'admin', groups: ['system:masters'], client: 'unknown' }
const token = 'a-token'
const stillClock = { now: () => 0, after: () => () => undefined, hold: () => () => undefined }

interface Seen {
  readonly request: KubeRequest
  readonly caller: Caller
}

interface Running extends HttpsListener {
  readonly seen: Seen[]
  readonly logged: string[]
  readonly agent: Agent
}

const running: Running[] = []

afterEach(async () => {
  for (const { agent, stop } of running.splice(0)) {
    await agent.destroy()
    await stop()
  }
})

const answered: KubeResponse = { kind: 'object', status: 200, body: { kind: 'Pod' } }

async function start(
  handle: (request: KubeRequest) => Promise<KubeResponse> = () => Promise.resolve(answered),
  catchUp: () => number = () => 0,
  caller = admin,
): Promise<Running> {
  const seen: Seen[] = []
  const logged: string[] = []
  const write = (message: string): void => {
    logged.push(message)
  }
  const log: Log = { debug: () => undefined, info: write, warn: write, error: write }
  const started = await startHttpsListener({
    server: {
      refusal: (caller, attributes) =>
        isPrivileged(caller) ? undefined : forbiddenStatus(caller, attributes, ''),
      handle: (request, from) => {
        seen.push({ request, caller: from })
        return handle(request)
      },
    },
    port: 0,
    clock: { ...stillClock, catchUp },
    credentials: new Map([[token, caller]]),
    log,
  })
  if (!started.ok) throw new Error(started.error.message)
  const agent = new Agent({ connect: { ca: started.value.caPem } })
  const listener: Running = { ...started.value, seen, logged, agent }
  running.push(listener)
  return listener
}

interface Sending {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

async function call(
  listener: Running,
  path: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<{ readonly status: number; readonly body: unknown; readonly type: unknown }> {
  const response = await send(`${listener.url}${path}`, {
    dispatcher: listener.agent,
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.body.text()
  const type = response.headers['content-type']
  return {
    status: response.statusCode,
    body: type === 'application/json' ? JSON.parse(text) : text,
    type,
  }
}

function failure(code: number, reason: string, message: unknown): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message,
  }
}

function tlsSocket(listener: HttpsListener): TLSSocket {
  const port = Number(new URL(listener.url).port)
  return connect({ port, host: '127.0.0.1', ca: listener.caPem })
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

it('an idle connection stays open for longer than Go’s clients reuse it', async () => {
  const listener = await start()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await send(`${listener.url}/x`, { dispatcher: listener.agent, headers })
  await answer.body.dump()
  expect(answer.headers['keep-alive']).toBe('timeout=120')
})

describe('authentication', () => {
  it.each([
    ['no credentials', {}],
    ['a wrong token', { authorization: 'Bearer another' }],
    ['a part of the token', { authorization: 'Bearer a-toke' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${token}` }],
  ])('%s gets 401, and the server gets no request', async (_, headers) => {
    const listener = await start()
    const response = await send(`${listener.url}/version`, { dispatcher: listener.agent, headers })
    expect([response.statusCode, await response.body.json()]).toEqual([
      401,
      failure(401, 'Unauthorized', 'Unauthorized'),
    ])
    expect(listener.seen).toEqual([])
  })

  it('the server gets the caller of the token and the name of the program, but not the token', async () => {
    const listener = await start()
    const agentHeader = { 'user-agent': 'kubectl/v1.33.1 (linux/amd64) kubernetes/8adc0f0' }
    await call(listener, '/api/v1/pods?limit=500&limit=1&labelSelector=a%3Db%2Cc', {
      headers: { ...agentHeader, accept: 'application/json' },
    })
    expect(listener.seen).toEqual([
      {
        request: {
          method: 'GET',
          path: '/api/v1/pods',
          query: { limit: '500', labelSelector: 'a=b,c' },
          headers: {
            ...agentHeader,
            accept: 'application/json',
            host: new URL(listener.url).host,
            connection: 'keep-alive',
          },
        },
        caller: { ...admin, client: 'kubectl' },
      },
    ])
  })

  it('--as uses another user with its groups', async () => {
    const listener = await start()
    const headers = { 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'] }
    await send(`${listener.url}/x`, {
      dispatcher: listener.agent,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'kubectl', ...headers },
    }).then((response) => response.body.dump())
    expect(listener.seen.map(({ caller }) => caller)).toEqual([
      { user: 'jane', groups: ['a', 'b', 'system:authenticated'], client: 'kubectl' },
    ])
  })

  it('--as is allowed for system:masters only', async () => {
    const listener = await start(undefined, undefined, { ...admin, groups: [] })
    const answer = await call(listener, '/x', { headers: { 'impersonate-user': 'jane' } })
    expect(answer.body).toMatchObject(
      failure(
        403,
        'Forbidden',
        'users "jane" is forbidden: User "admin" cannot impersonate resource "users" in API group "" at the cluster scope',
      ),
    )
    expect(listener.seen).toEqual([])
  })

  it('a client without the CA cannot connect', async () => {
    const listener = await start()
    await expect(send(`${listener.url}/version`)).rejects.toThrow(/certificate/)
  })

  it('the certificate is valid for localhost too', async () => {
    const listener = await start()
    const byName = { ...listener, url: listener.url.replace('127.0.0.1', 'localhost') }
    expect((await call(byName, '/version')).status).toBe(200)
  })
})

describe('the body of a request', () => {
  // The envelope names v1 Namespace; the object has metadata.name stage.
  const namespaceInProtobuf = Buffer.from(
    'k8s\0\n\x0f\n\x02v1\x12\x09Namespace\x12\x09\n\x07\n\x05stage',
    'latin1',
  )

  it.each([
    ['JSON', 'application/json', '{"a":1}', { a: 1 }],
    ['JSON with a charset', 'application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['a patch', 'application/strategic-merge-patch+json', '{"a":null}', { a: null }],
    ['a JSON patch', 'application/json-patch+json', '[]', []],
    ['YAML', 'application/yaml', 'a:\n- b: "1"\n', { a: [{ b: '1' }] }],
    ['an apply patch', 'application/apply-patch+yaml', '{"a":1}', { a: 1 }],
    [
      'a Namespace in protobuf',
      'application/vnd.kubernetes.protobuf',
      namespaceInProtobuf,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stage' } },
    ],
    ['nothing', 'application/json', '', undefined],
  ])('%s is decoded', async (_, type, body, value) => {
    const listener = await start()
    const headers = { 'content-type': type }
    expect((await call(listener, '/x', { method: 'POST', headers, body })).status).toBe(200)
    expect(listener.seen.map(({ request }) => request.body)).toEqual([value])
  })

  it.each([
    ['broken JSON', 'application/json', '{"a":', 400, 'BadRequest', /not readable as JSON/],
    ['no UTF-8', 'application/json', Buffer.from([0xff]), 400, 'BadRequest', /not UTF-8 text/],
    ['broken YAML', 'application/yaml', 'a: [', 400, 'BadRequest', /not readable as YAML/],
    ['broken protobuf', 'application/vnd.kubernetes.protobuf', 'x', 400, 'BadRequest', /protobuf/],
    [
      'an unknown format',
      'text/plain',
      'x',
      415,
      'UnsupportedMediaType',
      /unknown format - accepted media types include: application\/json/,
    ],
  ])('%s is refused', async (_, type, body, code, reason, message) => {
    const listener = await start()
    const headers = { 'content-type': type }
    const answer = await call(listener, '/x', { method: 'POST', headers, body })
    expect(answer.body).toMatchObject(failure(code, reason, expect.stringMatching(message)))
    expect(answer.status).toBe(code)
    expect(listener.seen).toEqual([])
  })

  it('of 3 MiB is accepted, one byte more is not', async () => {
    const listener = await start()
    const ofSize = (size: number): Sending => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `"${'x'.repeat(size - 2)}"`,
    })
    expect((await call(listener, '/x', ofSize(3 * 1024 * 1024))).status).toBe(200)
    const answer = await call(listener, '/x', ofSize(3 * 1024 * 1024 + 1))
    expect(answer.body).toEqual(
      failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
    )
    expect(listener.seen).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('is written with its status, type and headers', async () => {
    const listener = await start((request) =>
      Promise.resolve(
        request.path === '/livez'
          ? { kind: 'text', status: 200, body: 'ok', contentType: 'text/plain; charset=utf-8' }
          : { kind: 'object', status: 201, body: { a: 'ä' }, headers: { warning: '299 - "x"' } },
      ),
    )
    expect(await call(listener, '/livez')).toEqual({
      status: 200,
      body: 'ok',
      type: 'text/plain; charset=utf-8',
    })
    const response = await send(`${listener.url}/x`, {
      dispatcher: listener.agent,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.statusCode).toBe(201)
    expect(response.headers['warning']).toBe('299 - "x"')
    expect(await response.body.text()).toBe('{"a":"ä"}\n')
  })

  it('comes after the clock has caught up with real time', async () => {
    const order: string[] = []
    const listener = await start(
      () => {
        order.push('handle')
        return Promise.resolve(answered)
      },
      () => order.push('catch up'),
    )
    await call(listener, '/x')
    expect(order).toEqual(['catch up', 'handle'])
  })

  it('to a method that Kubernetes does not use is 405', async () => {
    const listener = await start()
    expect((await call(listener, '/x', { method: 'OPTIONS' })).body).toMatchObject(
      failure(405, 'MethodNotAllowed', 'the method OPTIONS is not supported'),
    )
  })

  it('is 500 and logged if the server fails, and the next request is served', async () => {
    const listener = await start((request) =>
      request.path === '/bad' ? Promise.reject(new Error('broken')) : Promise.resolve(answered),
    )
    expect(await call(listener, '/bad')).toMatchObject({ status: 500, body: { code: 500 } })
    expect(listener.logged).toEqual(['a request to the sandbox failed'])
    expect((await call(listener, '/good')).status).toBe(200)
  })

  it('is not logged as a failure if the client disconnects while it sends', async () => {
    const listener = await start()
    const socket = tlsSocket(listener)
    socket.write(
      `POST /x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{`,
      () => {
        socket.destroy()
      },
    )
    await new Promise((resolve) => socket.once('close', resolve))
    expect((await call(listener, '/x')).status).toBe(200)
    expect(listener.logged).toEqual([])
  })
})

/** A stream that the test feeds. */
class FakeWatch implements WatchStream {
  pulled = 0
  isStopped = false
  readonly #next: (count: number) => WatchEvent | 'wait' | 'end'
  #wake: () => void = () => undefined

  constructor(next: (count: number) => WatchEvent | 'wait' | 'end') {
    this.#next = next
  }

  readonly stop = (): void => {
    this.isStopped = true
    this.#wake()
  }

  get events(): AsyncIterable<WatchEvent> {
    return this.#iterate()
  }

  async *#iterate(): AsyncGenerator<WatchEvent> {
    while (!this.isStopped) {
      const event = this.#next(this.pulled)
      if (event === 'end') return
      if (event === 'wait') {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        continue
      }
      this.pulled++
      yield event
    }
  }
}

function podEvent(count: number, padding = ''): WatchEvent {
  return { type: 'ADDED', object: { metadata: { name: `p${count}` }, padding }, causes: [1] }
}

async function startWatch(watch: FakeWatch): Promise<Running> {
  return start(() => Promise.resolve({ kind: 'watch', status: 200, stream: watch }))
}

async function openWatch(listener: Running): ReturnType<typeof send> {
  return send(`${listener.url}/api/v1/pods?watch=true`, {
    dispatcher: listener.agent,
    headers: { authorization: `Bearer ${token}` },
  })
}

describe('a watch', () => {
  it('is a line of JSON for every event, and ends with the stream', async () => {
    const watch = new FakeWatch((count) => (count < 2 ? podEvent(count) : 'end'))
    const listener = await startWatch(watch)
    const response = await openWatch(listener)
    expect(response.headers['content-type']).toBe('application/json')
    expect(await response.body.text()).toBe(
      '{"type":"ADDED","object":{"metadata":{"name":"p0"},"padding":""}}\n' +
        '{"type":"ADDED","object":{"metadata":{"name":"p1"},"padding":""}}\n',
    )
  })

  it('sends its headers before there is any event', async () => {
    const listener = await startWatch(new FakeWatch(() => 'wait'))
    expect((await openWatch(listener)).statusCode).toBe(200)
  })

  it('ends after its timeout in real time, not in the sandbox’s time', async () => {
    const watch = new FakeWatch(() => 'wait')
    const listener = await startWatch(watch)
    const response = await send(`${listener.url}/api/v1/pods?watch=true&timeoutSeconds=1`, {
      dispatcher: listener.agent,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await response.body.text()).toBe('')
    expect(watch.isStopped).toBe(true)
    expect(listener.seen[0]?.request.query).toEqual({
      watch: 'true',
      timeoutSeconds: '1000000000',
    })
  })

  it('is stopped when the client disconnects', async () => {
    const watch = new FakeWatch((count) => (count === 0 ? podEvent(0) : 'wait'))
    const listener = await startWatch(watch)
    const response = await openWatch(listener)
    response.body.on('error', () => undefined)
    response.body.destroy()
    await until(() => watch.isStopped)
  })

  it('reads no more events than the connection can buffer while the client does not read', async () => {
    const padding = 'x'.repeat(64 * 1024)
    const watch = new FakeWatch((count) => podEvent(count, padding))
    const listener = await startWatch(watch)
    const socket = tlsSocket(listener)
    socket.pause()
    socket.write(`GET /w HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    let before = -1
    // Still when nothing was taken for 100 ms; without back-pressure it would never be.
    while (before !== watch.pulled || watch.pulled === 0) {
      before = watch.pulled
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
    // Socket buffers of both sides are a few MiB at most.
    expect(watch.pulled * padding.length).toBeLessThan(32 * 1024 * 1024)
    expect(watch.isStopped).toBe(false)
    socket.destroy()
    await until(() => watch.isStopped)
  })
})

describe('stopping', () => {
  // The clients get a fifth of a second; the rest is for a machine that is busy with something else.
  const aWhileMs = 10_000

  it('ends open watches and refuses later connections', async () => {
    const watches = [new FakeWatch(() => 'wait'), new FakeWatch(() => 'wait')]
    let opened = 0
    const listener = await start(() => {
      const stream = watches[opened++]
      return Promise.resolve(stream ? { kind: 'watch', status: 200, stream } : answered)
    })
    const responses = [await openWatch(listener), await openWatch(listener)]
    const texts = responses.map((response) => response.body.text())
    const before = performance.now()
    await listener.stop()
    expect(performance.now() - before).toBeLessThan(aWhileMs)
    expect(await Promise.all(texts)).toEqual(['', ''])
    expect(watches.map((watch) => watch.isStopped)).toEqual([true, true])
    await expect(call(listener, '/x')).rejects.toThrow(/ECONNREFUSED/)
    await listener.stop()
  })

  it('does not wait for a client that never reads or an answer that never comes', async () => {
    const endless = new FakeWatch((count) => podEvent(count, 'x'.repeat(64 * 1024)))
    const listener = await start((request) =>
      request.path === '/w'
        ? Promise.resolve({ kind: 'watch', status: 200, stream: endless })
        : new Promise(() => undefined),
    )
    for (const path of ['/w', '/never']) {
      const socket = tlsSocket(listener)
      socket.on('error', () => undefined)
      socket.pause()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    }
    await until(() => listener.seen.length === 2)
    const before = performance.now()
    await listener.stop()
    expect(performance.now() - before).toBeLessThan(aWhileMs)
    expect(endless.isStopped).toBe(true)
  })
})

it('a port in use is reported in one sentence with the port', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const started = await startHttpsListener({
    server: { handle: () => Promise.resolve(answered), refusal: () => undefined },
    port,
    clock: stillClock,
    credentials: new Map(),
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    },
  })
  taken.close()
  expect(started).toEqual({
    ok: false,
    error: {
      kind: 'port-taken',
      message: `Port ${port} on 127.0.0.1 is in use by another program: choose another with --sandbox-port (0 takes any free one).`,
    },
  })
})
