import { createServer as httpServer } from 'node:http'
import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { ok } from '../../../shared/result.ts'
import { openPort } from '../../cri/streaming/port-stream.ts'
import { kubeletStreamServer } from '../../cri/streaming/upgrade.ts'
import { StreamUrls } from '../../cri/streaming/stream-urls.ts'
import { PortForwards } from './port-forwards.ts'
import type { ConnectPort } from './port-forwards.ts'

const key = 'c/n/u'
const session = {
  knowledge: () => undefined,
  // Only these fields are read.
  actTarget: () => ({ facts: { readOnly: '' } }) as never,
}

const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A pod whose port answers everything in upper case. */
const upperCase: ConnectPort = () => {
  const [client, server] = duplexPair()
  server.on('data', (data: Buffer) => server.write(data.toString().toUpperCase()))
  server.on('end', () => server.end())
  return Promise.resolve(ok(client))
}

function forwards(connectPort: ConnectPort): PortForwards {
  const made = new PortForwards({ session, connect: connectPort })
  ends.push(() => made.stopAll())
  return made
}

async function said(port: number, words: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => {
    answer += data.toString()
    socket.end()
  })
  socket.write(words)
  await new Promise((resolve) => {
    socket.on('close', resolve)
    socket.on('error', resolve)
  })
  return answer
}

async function started(made: PortForwards, port = 80): Promise<number> {
  const result = await made.start(key, port, 0)
  if (!result.ok) throw new Error(result.error.message)
  return result.value.localPort
}

describe('a forwarded port', () => {
  it('leads to the pod, counts its connections, and is closed when it is stopped', async () => {
    const made = forwards(upperCase)
    const localPort = await started(made)
    expect(await said(localPort, 'hello')).toBe('HELLO')
    const open = connect(localPort, '127.0.0.1')
    await new Promise((resolve) => {
      open.on('connect', resolve)
    })
    await expect
      .poll(() => made.list(key)?.forwards)
      .toMatchObject([{ open: 1, total: 2, port: 80 }])
    const closed = new Promise((resolve) => {
      open.on('close', resolve)
      open.on('error', resolve)
    })
    made.stop(1)
    await closed
    expect(made.list(key)).toBeNull()
    expect(await said(localPort, 'hello')).toBe('')
  })

  it('is refused with a sentence when the port of this machine is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => {
      other.on('listening', resolve)
    })
    ends.push(() => other.close())
    const { port } = other.address() as AddressInfo
    expect(await forwards(upperCase).start(key, 80, port)).toEqual({
      ok: false,
      error: {
        kind: 'refused',
        message: `Port ${port} of this machine is taken. Choose another local port, or leave it empty for a free one.`,
      },
    })
  })

  it('goes on after the pod has refused a connection, and says why', async () => {
    const made = forwards(() => Promise.resolve({ ok: false, error: 'Nothing listens on it.' }))
    const localPort = await started(made)
    expect(await said(localPort, 'hello')).toBe('')
    await expect
      .poll(() => made.list(key)?.forwards[0])
      .toMatchObject({ open: 0, total: 1, problem: 'Nothing listens on it.' })
  })
})

describe('a connection through an API server', () => {
  it('ends with the pod’s own words', async () => {
    const urls = new StreamUrls(() => 'stream:')
    const serve = kubeletStreamServer(urls)
    const http = httpServer()
    http.on('upgrade', (request, socket, head: Buffer) => {
      const port = (number: number) =>
        number === 81
          ? ({ ok: false, error: 'lost connection to pod' } as const)
          : ok({ kind: 'echo' } as never)
      serve({ request, socket, head }, ok(urls.portForward(port)))
    })
    http.listen(0, '127.0.0.1')
    await new Promise((resolve) => {
      http.on('listening', resolve)
    })
    ends.push(() => {
      http.closeAllConnections()
      http.close()
    })
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/portforward`
    const made = forwards((_key, port) => openPort({ url, who: 'The API server' }, port))
    const refused = await started(made, 81)
    expect(await said(refused, 'hello')).toBe('')
    await expect
      .poll(() => made.list(key)?.forwards[0]?.problem)
      .toBe('The pod closed the connection: lost connection to pod')
  })

  it('that is refused says the code and the reason', async () => {
    const http = httpServer((_request, response) => {
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: 'pods "web" is forbidden' }))
    })
    http.listen(0, '127.0.0.1')
    await new Promise((resolve) => {
      http.on('listening', resolve)
    })
    ends.push(() => http.close())
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
    const opened = await openPort({ url, who: 'The API server' }, 80)
    expect(opened).toEqual({
      ok: false,
      error: 'The API server refused the connection (403 Forbidden: pods "web" is forbidden).',
    })
  })
})
