import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { KubeResponse, WatchEvent } from '../../../shared/kubernetes/request.ts'
import type { Credential } from '../kubeconfig/credential.ts'
import { TestHttpsServer, bodyText, makeCertificates, sendJson } from './fake-https-server.ts'
import type { TestCertificates } from './fake-https-server.ts'
import { UndiciTransport } from './undici-transport.ts'
import type { UndiciTransportDeps } from './undici-transport.ts'

let certificates: TestCertificates
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  certificates = await makeCertificates()
})

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function server(handler?: TestHttpsServer['handler']): Promise<TestHttpsServer> {
  const made = new TestHttpsServer(certificates)
  if (handler !== undefined) made.handler = handler
  await made.listen()
  closing.push(() => made.close())
  return made
}

function trusting(credential: Partial<Credential['tls']> = {}, headers = {}): Credential {
  return { tls: { ca: certificates.ca, rejectUnauthorized: true, ...credential }, headers }
}

function transportTo(url: string, options: Partial<UndiciTransportDeps> = {}): UndiciTransport {
  const made = new UndiciTransport({
    server: url,
    credentials: { get: () => Promise.resolve(trusting()), refused: () => undefined },
    ...options,
  })
  closing.push(() => made.close())
  return made
}

const getPods = { method: 'GET', path: '/api/v1/pods' } as const
const watchPods = { ...getPods, query: { watch: 'true', resourceVersion: '5' } } as const

async function failureOf(promise: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof TransportError)) throw new Error(`not a TransportError: ${String(error)}`)
  return error
}

function eventsOf(response: KubeResponse): AsyncIterator<WatchEvent> {
  if (response.kind !== 'watch') throw new Error(`no watch: ${JSON.stringify(response)}`)
  return response.stream.events[Symbol.asyncIterator]()
}

describe('UndiciTransport', () => {
  it('does not follow a redirect, so that no credential reaches another host', async () => {
    const asked: string[] = []
    const other = await server((request, response) => {
      asked.push(request.url ?? '')
      sendJson(response, 200, {})
    })
    const api = await server((_request, response) => {
      response.setHeader('Location', `${other.url}/api/v1/pods`)
      sendJson(response, 307, { kind: 'Status', message: 'over there' })
    })
    const credential = trusting({}, { authorization: 'Bearer t' })
    const transport = transportTo(api.url, {
      credentials: { get: () => Promise.resolve(credential), refused: () => undefined },
    })
    for (const request of [getPods, watchPods])
      expect(await transport.send(request)).toMatchObject({ kind: 'object', status: 307 })
    expect(asked).toEqual([])
  })

  it('sends method, path below the base path, query, headers and body, and parses the answer', async () => {
    let seen: unknown
    const api = await server((request, response) => {
      void bodyText(request).then((body) => {
        const { method, url, headers } = request
        seen = {
          method,
          url,
          accept: headers.accept,
          authorization: headers.authorization,
          groups: request.headersDistinct['impersonate-group'],
          agent: headers['user-agent'],
          contentType: headers['content-type'],
          client: (request.socket as TLSSocket).getPeerCertificate().subject.CN,
          body: JSON.parse(body),
        }
        response.setHeader('Retry-After', '3')
        sendJson(response, 429, { kind: 'Status', message: 'grüße' })
      })
    })
    const credential = trusting(certificates.client, {
      authorization: 'Bearer t',
      'impersonate-group': ['a', 'b'],
    })
    const transport = transportTo(`${api.url}/k8s/clusters/c1/`, {
      credentials: { get: () => Promise.resolve(credential), refused: () => undefined },
      userAgent: 'nodescope/1',
    })
    const response = await transport.send({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/pods/a%2Fb/status',
      query: { fieldSelector: 'spec.nodeName=n 1' },
      headers: { accept: 'application/json', 'content-type': 'application/merge-patch+json' },
      body: { name: 'ä' },
    })
    expect(seen).toEqual({
      method: 'PATCH',
      url: '/k8s/clusters/c1/api/v1/namespaces/default/pods/a%2Fb/status?fieldSelector=spec.nodeName%3Dn+1',
      accept: 'application/json',
      authorization: 'Bearer t',
      groups: ['a', 'b'],
      agent: 'nodescope/1',
      contentType: 'application/merge-patch+json',
      client: 'client',
      body: { name: 'ä' },
    })
    expect(response).toMatchObject({
      kind: 'object',
      status: 429,
      body: { kind: 'Status', message: 'grüße' },
      headers: { 'retry-after': '3' },
    })
  })

  it('returns responses that are not JSON as text', async () => {
    const api = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'retry-after': '3' }).end('ok')
    })
    expect(await transportTo(api.url).send({ method: 'GET', path: '/readyz' })).toMatchObject({
      kind: 'text',
      status: 200,
      body: 'ok',
      contentType: 'text/plain',
      headers: { 'retry-after': '3' },
    })
  })

  it('reuses its connections', async () => {
    const api = await server((_request, response) => {
      sendJson(response, 200, {})
    })
    const transport = transportTo(api.url)
    for (let call = 0; call < 100; call++) await transport.send(getPods)
    expect(api.connections).toBeLessThanOrEqual(2)
    await Promise.all(Array.from({ length: 200 }, () => transport.send(getPods)))
    expect(api.connections).toBeLessThanOrEqual(16)
  })

  it('keeps separate connections for watches and calls', async () => {
    const api = await server((request, response) => {
      if (request.url?.includes('watch=true') === true) response.writeHead(200).flushHeaders()
      else sendJson(response, 200, {})
    })
    const transport = transportTo(api.url)
    const watches = await Promise.all(Array.from({ length: 20 }, () => transport.send(watchPods)))
    expect(watches.map(({ kind }) => kind)).toEqual(Array(20).fill('watch'))
    expect(await transport.send(getPods)).toMatchObject({ status: 200 })
  })

  it('opens new connections when the client certificate changes', async () => {
    const api = await server((request, response) => {
      const subject = (request.socket as TLSSocket).getPeerCertificate().subject as
        { readonly CN: string } | undefined
      sendJson(response, 200, { client: subject?.CN ?? 'nobody' })
    })
    let credential = trusting()
    const transport = transportTo(api.url, {
      credentials: { get: () => Promise.resolve(credential), refused: () => undefined },
    })
    expect(await transport.send(getPods)).toMatchObject({ body: { client: 'nobody' } })
    credential = trusting(certificates.client)
    expect(await transport.send(getPods)).toMatchObject({ body: { client: 'client' } })
  })

  it('reports a 401 to the credential source', async () => {
    const api = await server((_request, response) => {
      sendJson(response, 401, { kind: 'Status', message: 'Unauthorized' })
    })
    const refused = vi.fn()
    const transport = transportTo(api.url, {
      credentials: { get: () => Promise.resolve(trusting()), refused },
    })
    expect(await transport.send(getPods)).toMatchObject({ kind: 'object', status: 401 })
    expect(refused).toHaveBeenCalledTimes(1)
  })

  it('sends no credential over plain HTTP', async () => {
    let seen: unknown
    const plain = createServer((request, response) => {
      seen = [request.headers.authorization, request.headers['impersonate-user']]
      sendJson(response, 200, {})
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      plain.closeAllConnections()
      await new Promise((resolve) => plain.close(resolve))
    })
    const address = plain.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const headers = { authorization: 'Bearer secret', 'impersonate-user': 'root' }
    const transport = transportTo(`http://127.0.0.1:${port}`, {
      credentials: { get: () => Promise.resolve(trusting({}, headers)), refused: () => undefined },
    })
    await transport.send(getPods)
    expect(seen).toEqual([undefined, undefined])

    const tls = transportTo(`https://127.0.0.1:${port}`)
    expect(await failureOf(tls.send(getPods))).toMatchObject({
      kind: 'unavailable',
      message: `https://127.0.0.1:${port} does not use TLS on this port.`,
    })
  })

  it('reports a server that is down, unknown or not trusted in one sentence', async () => {
    const api = await server()
    const { url } = api
    const strangers = await makeCertificates()
    const untrusting = transportTo(url, {
      credentials: {
        get: () =>
          Promise.resolve({ tls: { ca: strangers.ca, rejectUnauthorized: true }, headers: {} }),
        refused: () => undefined,
      },
    })
    expect(await failureOf(untrusting.send(getPods))).toMatchObject({
      kind: 'unavailable',
      message: `The certificate of ${url} is not signed by an authority that the kubeconfig trusts.`,
    })
    const misnamed = transportTo(url, {
      credentials: {
        get: () => Promise.resolve(trusting({ servername: 'elsewhere.example' })),
        refused: () => undefined,
      },
    })
    expect(await failureOf(misnamed.send(getPods))).toMatchObject({
      message: `The certificate of ${url} is for another name.`,
    })
    const careless = transportTo(url, {
      credentials: {
        get: () => Promise.resolve({ tls: { rejectUnauthorized: false }, headers: {} }),
        refused: () => undefined,
      },
    })
    expect(await careless.send(getPods)).toMatchObject({ status: 404 })
    await api.close()
    expect(await failureOf(transportTo(url).send(getPods))).toMatchObject({
      kind: 'unavailable',
      message: `${url} refused the connection: nothing listens there.`,
    })
    const nowhere = await failureOf(transportTo('https://nowhere.invalid:6443').send(getPods))
    expect(nowhere).toMatchObject({ kind: 'unavailable' })
    expect(nowhere.message).toMatch(/^https:\/\/nowhere\.invalid:6443 could not be found/)
  })

  it('fails after its time limit, even within a body', async () => {
    const silent = await server(() => undefined)
    const options = { requestTimeoutMs: 60 }
    expect(await failureOf(transportTo(silent.url, options).send(getPods))).toMatchObject({
      kind: 'timeout',
      message: `${silent.url} did not respond within 0.06 seconds.`,
    })
    expect(await failureOf(transportTo(silent.url, options).send(watchPods))).toMatchObject({
      kind: 'timeout',
    })
    const halting = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"items":[')
    })
    expect(await failureOf(transportTo(halting.url, options).send(getPods))).toMatchObject({
      kind: 'timeout',
    })
  })

  it('leaves idle connections after a call without a response: all may be half-open', async () => {
    const silent = new Set<unknown>()
    const held: ServerResponse[] = []
    const sockets = new Set<unknown>()
    const api = await server((request, response) => {
      const { socket } = request
      sockets.add(socket)
      if (silent.has(socket)) return
      held.push(response)
      if (sockets.size >= 3) for (const each of held.splice(0)) sendJson(each, 200, {})
    })
    const transport = transportTo(api.url, { requestTimeoutMs: 300 })
    await Promise.all([1, 2, 3].map(async () => transport.send(getPods)))
    for (const socket of sockets) silent.add(socket)
    expect(silent.size).toBe(3)
    // The pool knows a moment later that they are idle.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await failureOf(transport.send(getPods))).toMatchObject({ kind: 'timeout' })
    expect(await transport.send(getPods)).toMatchObject({ status: 200 })
    expect(sockets.size).toBe(4)
  })

  it('reads a response that comes slowly, but not for ever', async () => {
    const trickle = await server((request, response) => {
      const pieces = request.url?.includes('endless') === true ? Infinity : 12
      response.writeHead(200, { 'content-type': 'application/json' }).write('[')
      let sent = 0
      const timer = setInterval(() => {
        if (sent++ < pieces && !response.destroyed) response.write(' ')
        else {
          clearInterval(timer)
          response.end(']')
        }
      }, 20)
    })
    const transport = transportTo(trickle.url, { requestTimeoutMs: 100 })
    expect(await transport.send(getPods)).toMatchObject({ status: 200, body: [] })
    const began = Date.now()
    expect(await failureOf(transport.send({ method: 'GET', path: '/endless' }))).toMatchObject({
      kind: 'timeout',
    })
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000)
  })

  it('reports a dropped connection, and invalid JSON', async () => {
    const cut = await server((request, response) => {
      if (request.method === 'GET')
        response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      setImmediate(() => request.socket.destroy())
    })
    expect(await failureOf(transportTo(cut.url).send(getPods))).toMatchObject({
      kind: 'unavailable',
      message: `${cut.url} closed the connection.`,
    })
    expect(
      await failureOf(transportTo(cut.url).send({ ...getPods, method: 'POST', body: {} })),
    ).toMatchObject({ kind: 'unavailable' })
    const broken = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[')
    })
    expect(await failureOf(transportTo(broken.url).send(getPods))).toMatchObject({
      kind: 'invalid',
      message: `${broken.url} returned invalid JSON.`,
    })
  })

  it('reads a response only up to the limit, whatever its kind and status', async () => {
    let sent = 0
    const endless = await server((request, response) => {
      const isText = request.method === 'POST'
      response.writeHead(isText ? 500 : 200, {
        'content-type': isText ? 'text/plain' : 'application/json',
      })
      const more = (): void => {
        for (; !response.destroyed; sent += 65_536) {
          if (!response.write('x'.repeat(65_536))) return void response.once('drain', more)
        }
      }
      more()
    })
    const transport = transportTo(endless.url, { maxResponseBytes: 1024 * 1024 })
    for (const request of [getPods, { ...getPods, method: 'POST', body: {} }] as const)
      expect(await failureOf(transport.send(request))).toMatchObject({
        kind: 'invalid',
        message: `${endless.url} returned more than 1 MiB; the rest was not read.`,
      })
    // What is on the way counts too: some buffers of sockets.
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('retries a GET on a stale connection, but no other method', async () => {
    const requests: string[] = []
    let drops = 0
    const api = await server((request, response) => {
      requests.push(request.method ?? '')
      if (drops-- > 0) request.socket.destroy()
      else sendJson(response, 200, {})
    })
    const transport = transportTo(api.url)
    await transport.send(getPods)
    drops = 1
    expect(await transport.send(getPods)).toMatchObject({ status: 200 })
    drops = 1
    const write = transport.send({ ...getPods, method: 'POST', body: {} })
    expect(await failureOf(write)).toMatchObject({ kind: 'unavailable' })
    expect(requests).toEqual(['GET', 'GET', 'GET', 'POST'])
  })

  it('streams a watch, event by event, whatever the chunks', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'grüße 🚀' } } })}\n`
    const bytes = Buffer.from(line + JSON.stringify({ type: 'BOOKMARK', object: {} }) + '\n')
    const api = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const writeFrom = (start: number): void => {
        if (start >= bytes.length) return void response.end()
        response.write(bytes.subarray(start, start + 7), () => {
          setImmediate(writeFrom, start + 7)
        })
      }
      writeFrom(0)
    })
    const events = eventsOf(await transportTo(api.url).send(watchPods))
    expect(await events.next()).toEqual({
      done: false,
      value: { type: 'ADDED', object: { metadata: { name: 'grüße 🚀' } } },
    })
    expect(await events.next()).toEqual({ done: false, value: { type: 'BOOKMARK', object: {} } })
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })

  it('fails a watch with a dropped connection or invalid data, after the valid events', async () => {
    const good = `${JSON.stringify({ type: 'ADDED', object: {} })}\n`
    const scenes: Readonly<
      Record<string, (response: { destroy: () => void; end: () => void }) => string>
    > = {
      drop: () => '{"type":"ADD',
      nonsense: () => '{"type":"HELLO"}\n',
      html: () => '<html>\n',
    }
    const messages: string[] = []
    for (const [name, scene] of Object.entries(scenes)) {
      const api = await server((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(good + scene(response), () => {
          if (name === 'drop') setTimeout(() => request.socket.destroy(), 10)
        })
      })
      const events = eventsOf(await transportTo(api.url).send(watchPods))
      expect(await events.next()).toMatchObject({ done: false })
      const error = await failureOf(events.next())
      messages.push(`${error.kind}: ${error.message.replace(api.url, 'S')}`)
    }
    expect(messages).toEqual([
      'unavailable: S closed the connection.',
      'invalid: S: a line of the watch is not a watch event.',
      'invalid: S: a line of the watch is not JSON.',
    ])
  })

  it('returns a refused watch as a response', async () => {
    const api = await server((_request, response) => {
      sendJson(response, 410, { kind: 'Status', code: 410 })
    })
    expect(await transportTo(api.url).send(watchPods)).toMatchObject({
      kind: 'object',
      status: 410,
    })
  })

  it('stops a watch without an error and closes its connection', async () => {
    let closed: (() => void) | undefined
    const whenClosed = new Promise<void>((resolve) => (closed = resolve))
    const api = await server((_request, response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    })
    const response = await transportTo(api.url).send(watchPods)
    const next = eventsOf(response).next()
    if (response.kind === 'watch') {
      response.stream.stop()
      response.stream.stop()
    }
    expect(await next).toEqual({ done: true, value: undefined })
    await whenClosed
  })

  it('can stop an unread watch', async () => {
    const api = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    })
    const response = await transportTo(api.url).send(watchPods)
    if (response.kind !== 'watch') throw new Error('no watch')
    response.stream.stop()
    expect(await eventsOf(response).next()).toEqual({ done: true, value: undefined })
  })

  it('drops watches on demand, but no calls', async () => {
    let taken: (response: ServerResponse) => void = () => undefined
    const callTaken = new Promise<ServerResponse>((resolve) => {
      taken = resolve
    })
    const api = await server((request, response) => {
      if (request.url?.includes('watch=true') === true) response.writeHead(200).flushHeaders()
      else taken(response)
    })
    const transport = transportTo(api.url)
    const watch = eventsOf(await transport.send(watchPods))
    const next = watch.next()
    const call = transport.send({ method: 'GET', path: '/slow' })
    transport.dropWatches()
    await expect(next).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await transport.send(watchPods)).kind).toBe('watch')
    sendJson(await callTaken, 200, {})
    expect((await call).status).toBe(200)
  })

  it('slows the server down while the events are not read', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: { pad: 'x'.repeat(100_000) } })}\n`
    let written = 0
    let stalled: (() => void) | undefined
    const whenStalled = new Promise<void>((resolve) => (stalled = resolve))
    const api = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const fill = (): void => {
        while (written < 2000) {
          written++
          if (!response.write(line)) break
        }
        const before = written
        response.once('drain', fill)
        setTimeout(() => {
          if (written === before) stalled?.()
        }, 200)
      }
      fill()
    })
    const events = eventsOf(await transportTo(api.url).send(watchPods))
    await events.next()
    await whenStalled
    // 200 MB were on offer; what lies in sockets and streams is a few.
    expect(written).toBeLessThan(300)
    for (let taken = 0; taken < 400; taken++) await events.next()
    expect(written).toBeGreaterThan(300)
  })

  it('holds a virtual clock until the response, not while a watch is open', async () => {
    const api = await server((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      setTimeout(() => {
        if (request.url?.includes('watch') === true) response.flushHeaders()
        else response.end('{}')
      }, 20)
    })
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const transport = transportTo(api.url, { hold: clock.hold })
    const order: string[] = []
    clock.after(1, () => {
      void transport.send(getPods).then(() => order.push('answered'))
    })
    clock.after(2, () => {
      order.push('next')
      void transport.send(watchPods).then(() => order.push('watching'))
    })
    clock.after(3, () => order.push('last'))
    await clock.advance(5)
    expect(order).toEqual(['answered', 'next', 'watching', 'last'])
  })

  it('refuses requests after close, and ends open ones', async () => {
    const api = await server((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    })
    const transport = transportTo(api.url)
    const events = eventsOf(await transport.send(watchPods))
    const pending = failureOf(events.next())
    await transport.close()
    expect(await pending).toMatchObject({ kind: 'unavailable' })
    expect(await failureOf(transport.send(getPods))).toMatchObject({
      kind: 'unavailable',
      message: `The connection to ${api.url} was closed.`,
    })
  })
})
