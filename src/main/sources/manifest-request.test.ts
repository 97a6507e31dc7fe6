import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { makeCertificates } from '../cluster/transport/fake-https-server.ts'
import { manifestRequest } from './manifest-request.ts'
import type { ManifestRequestDeps, ManifestUrlResponse } from './manifest-request.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function listen(server: Server): Promise<number> {
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve((server.address() as AddressInfo).port) // a TCP port was asked for
    })
  })
}

function serve(handler: Handler): Promise<number> {
  return listen(createServer(handler))
}

async function get(
  url: string,
  deps: Partial<ManifestRequestDeps> = {},
  signal = new AbortController().signal,
): Promise<ManifestUrlResponse> {
  const request = manifestRequest({ url, headers: [], ...deps })
  ends.push(request.close)
  return await request.fetch(signal)
}

async function resultOf(answer: Promise<ManifestUrlResponse>): Promise<string> {
  const given = await answer
  return given.kind === 'failed' ? given.reason : `${given.status} ${given.body.toString()}`
}

describe('manifestRequest', () => {
  it('sends the configured headers, also repeated ones, and the user of the URL', async () => {
    let seen: IncomingMessage | undefined
    const port = await serve((request, response) => {
      seen = request
      response.end('pods')
    })
    const headers = [
      { name: 'X-Team', value: 'a' },
      { name: 'X-Team', value: 'b' },
      { name: 'Host', value: 'elsewhere' },
    ]
    expect(await resultOf(get(`http://me:p%40ss@127.0.0.1:${port}/x?y=1`, { headers }))).toBe(
      '200 pods',
    )
    expect(seen?.url).toBe('/x?y=1')
    expect(seen?.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      'x-team': 'a, b',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    })
  })

  it('returns other statuses than 200', async () => {
    const port = await serve((_request, response) => response.writeHead(404).end('no'))
    expect(await resultOf(get(`http://127.0.0.1:${port}`))).toBe('404 no')
  })

  it('follows at most ten redirects', async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect(await resultOf(get(`http://127.0.0.1:${port}/10`))).toBe('200 there')
    expect(await resultOf(get(`http://127.0.0.1:${port}/11`))).toBe('stopped after 10 redirects')
  })

  it('sends no credentials to another host', async () => {
    const seen: IncomingMessage['headers'][] = []
    const other = await serve((request, response) => {
      seen.push(request.headers)
      response.end('there')
    })
    const port = await serve((_request, response) =>
      response.writeHead(307, { location: `http://localhost:${other}/` }).end(),
    )
    const headers = [
      { name: 'Authorization', value: 'Bearer x' },
      { name: 'X-Team', value: 'a' },
    ]
    expect(await resultOf(get(`http://127.0.0.1:${port}`, { headers }))).toBe('200 there')
    expect(seen[0]).toMatchObject({ 'x-team': 'a' })
    expect(seen[0]).not.toHaveProperty('authorization')
  })

  it('follows redirects only to http and https', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    expect(await resultOf(get(`http://127.0.0.1:${port}`))).toBe(
      'redirected to a URL that is not http or https',
    )
  })

  it('reads at most 10 MiB', async () => {
    const limit = 10 * 1024 * 1024
    const port = await serve((request, response) =>
      response.end(Buffer.alloc(limit + Number(request.url?.slice(1)))),
    )
    const answer = await get(`http://127.0.0.1:${port}/0`)
    expect(answer.kind === 'response' && answer.body.length).toBe(limit)
    expect(await resultOf(get(`http://127.0.0.1:${port}/1`))).toBe(
      'the response is larger than 10 MiB',
    )
  })

  it('fails after its time limit, also for a body that never ends', async () => {
    const port = await serve((_request, response) => {
      response.write('begun')
    })
    expect(await resultOf(get(`http://127.0.0.1:${port}`, { timeoutMs: 100 }))).toBe(
      'no response within 0.1 s',
    )
  })

  it('ends when it is stopped', async () => {
    const stop = new AbortController()
    const port = await serve(() => {
      stop.abort()
    })
    expect((await get(`http://127.0.0.1:${port}`, {}, stop.signal)).kind).toBe('failed')
  })

  it('reports in a few words why the request failed', async () => {
    const port = await serve(() => undefined)
    await ends.pop()?.()
    expect(await resultOf(get(`http://127.0.0.1:${port}`))).toBe('connection refused')
    const cut = await serve((request) => request.socket.destroy())
    expect(await resultOf(get(`http://127.0.0.1:${cut}`))).toBe('the connection was closed')
  })

  it('uses TLS, and trusts only the certificate authorities of the machine', async () => {
    const { ca, server } = await makeCertificates()
    const port = await listen(createTlsServer(server, (_request, response) => response.end('safe')))
    expect(await resultOf(get(`https://127.0.0.1:${port}`, { authorities: [ca] }))).toBe('200 safe')
    expect(await resultOf(get(`https://127.0.0.1:${port}`))).toBe(
      'its certificate is not trusted by this machine',
    )
    const plain = await serve((_request, response) => response.end('plain'))
    expect(await resultOf(get(`https://127.0.0.1:${plain}`))).toBe(
      'it does not use TLS on this port',
    )
  })
})
