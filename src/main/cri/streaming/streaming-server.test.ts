import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { constants, createDeflate } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ok } from '../../../shared/result.ts'
import { spdyDictionary } from './spdy-dictionary.ts'
import { StreamingServer } from './streaming-server.ts'

// What travels over SPDY is tested with Kubernetes' own client in test/kube/cri.test.ts.

let server: StreamingServer

beforeEach(async () => {
  server = new StreamingServer()
  await server.start()
})

afterEach(() => {
  server.stop()
})

const output = { stdin: false, stdout: true, stderr: true, tty: false }

function newUrl(): string {
  return server.command(output, () => ({
    ended: Promise.resolve(ok(0)),
    kill: () => undefined,
    input: { receive: () => undefined, end: () => undefined },
  }))
}

/** The status code of the answer to an upgrade, and its protocol. */
function upgrade(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const upgrading = { connection: 'Upgrade', upgrade: 'SPDY/3.1', ...headers }
    const asked = request(url, { method: 'POST', headers: upgrading })
    asked.on('error', reject)
    asked.on('response', ({ statusCode }) => {
      resolve(statusCode)
    })
    asked.on('upgrade', ({ statusCode, headers: answered }, socket) => {
      socket.destroy()
      resolve([statusCode, answered['x-stream-protocol-version']])
    })
    asked.end()
  })
}

const protocols = { 'x-stream-protocol-version': 'v5.channel.k8s.io, v4.channel.k8s.io' }

describe('StreamingServer', () => {
  it('upgrades a URL once, to the newest protocol that both have', async () => {
    const url = newUrl()
    expect(await upgrade(url, protocols)).toEqual([101, 'v5.channel.k8s.io'])
    expect(await upgrade(url, protocols)).toBe(404)
    const v4 = { 'x-stream-protocol-version': 'v4.channel.k8s.io' }
    expect(await upgrade(newUrl(), v4)).toEqual([101, 'v4.channel.k8s.io'])
  })

  it('refuses what it does not serve', async () => {
    expect(await upgrade(newUrl().replace(/\/[^/]+$/, '/guessed'), protocols)).toBe(404)
    expect(await upgrade(newUrl(), { upgrade: 'websocket' })).toBe(405)
    expect(await upgrade(newUrl(), { 'x-stream-protocol-version': 'v1' })).toBe(403)
    expect((await fetch(newUrl(), { method: 'POST' })).status).toBe(400)
  })

  it('keeps a thousand URLs at most', async () => {
    const first = newUrl()
    for (let count = 0; count < 1000; count++) newUrl()
    expect(await upgrade(first, protocols)).toBe(404)
  })
})

/** A SPDY client that opens streams by their type, and collects what comes on them. */
async function connected(url: string, types: readonly string[], offered = protocols) {
  const socket = await new Promise<Duplex>((resolve) => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', ...offered }
    const asked = request(url, { method: 'POST', headers })
    asked.on('upgrade', (_, opened) => {
      resolve(opened)
    })
    asked.end()
  })
  const deflate = createDeflate({ dictionary: spdyDictionary, flush: constants.Z_SYNC_FLUSH })
  const text = (value: string): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(value.length)
    return Buffer.concat([length, Buffer.from(value)])
  }
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  }
  socket.on('error', () => undefined)
  const received = new Map<string, string>()
  let buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    while (buffer.length >= 8 && buffer.length >= 8 + buffer.readUIntBE(5, 3)) {
      const end = 8 + buffer.readUIntBE(5, 3)
      const type = types[(buffer.readUInt32BE(0) - 1) / 2]
      if (type !== undefined)
        received.set(type, (received.get(type) ?? '') + buffer.subarray(8, end).toString())
      buffer = buffer.subarray(end)
    }
  })
  for (const [index, type] of types.entries()) {
    const block = await new Promise<Buffer>((resolve) => {
      deflate.once('data', resolve)
      deflate.write(Buffer.concat([number(1), text('streamtype'), text(type)]))
    })
    const body = Buffer.concat([number(1 + 2 * index), number(0), Buffer.alloc(2), block])
    socket.write(Buffer.concat([number(0x80030001), number(body.length), body]))
  }
  return {
    received,
    send: (type: string, data: string, isLast = false) => {
      const [length, body] = [Buffer.byteLength(data), Buffer.from(data)]
      const words = [number(1 + 2 * types.indexOf(type)), number((isLast ? 1 << 24 : 0) + length)]
      socket.write(Buffer.concat([...words, body]))
    },
    closed: new Promise<void>((resolve) => socket.on('close', resolve)),
    destroy: () => socket.destroy(),
  }
}

describe('a command with input', () => {
  const interactive = { stdin: true, stdout: true, stderr: false, tty: true }

  it('receives what the client sends, also before it runs, and answers', async () => {
    let exit = (_code: number): void => undefined
    const inputs: string[] = []
    const url = server.command(interactive, ({ stdout }) => ({
      ended: new Promise((resolve) => {
        exit = (code) => {
          resolve(ok(code))
        }
      }),
      kill: () => undefined,
      input: {
        receive: (text) => {
          inputs.push(text)
          stdout?.(`got ${text}`, 0)
        },
        end: () => {
          inputs.push('end')
          exit(3)
        },
      },
    }))
    const client = await connected(url, ['error', 'stdin', 'stdout', 'resize'])
    client.send('resize', '{"Width":80,"Height":24}')
    client.send('stdin', 'h\u00e9')
    client.send('stdin', 'llo', true)
    await client.closed
    expect(inputs.join('')).toBe('h\u00e9lloend')
    expect(client.received.get('stdout')).toBe(
      inputs
        .slice(0, -1)
        .map((text) => `got ${text}`)
        .join(''),
    )
    expect(client.received.get('error')).toContain('"message":"3"')
  })

  it('is killed when its client goes', async () => {
    const killed = new Promise<void>((resolve) => {
      const url = server.command(interactive, () => ({
        ended: new Promise(() => undefined),
        kill: resolve,
        input: { receive: () => undefined, end: () => undefined },
      }))
      void connected(url, ['error', 'stdin', 'stdout', 'resize']).then(async (client) => {
        await new Promise((continued) => setTimeout(continued, 50))
        client.destroy()
      })
    })
    await killed
  })
})

it('a forwarded connection ends with its client, also one on which nothing was sent', async () => {
  let isOpen = false
  const ended = new Promise<void>((resolve) => {
    const url = server.portForward(() => {
      isOpen = true
      return ok({ onConnect: resolve })
    })
    const offered = { 'x-stream-protocol-version': 'portforward.k8s.io' }
    void connected(url, ['error', 'data'], offered).then(async (client) => {
      await expect.poll(() => isOpen).toBe(true)
      client.destroy()
    })
  })
  await ended
})

it('the dictionary of SPDY/3 has 1423 bytes', () => {
  expect(spdyDictionary.length).toBe(1423)
})
