import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import type { StreamRequest } from '../../runtimes/simulated/streams.ts'
import { StreamUrls } from './stream-urls.ts'
import { streamServer } from './upgrade.ts'

// Streams of kubectl, by WebSocket and SPDY, are compared with a real kubelet's in test/kube/containers.test.ts.

const urls = new StreamUrls(() => 'test:')
const all: StreamRequest = { stdin: true, stdout: true, stderr: true, tty: false }
let server: Server
let stream: Result<string, KubeletText>

beforeEach(async () => {
  const serve = streamServer(urls)
  server = createServer()
  server.on('upgrade', (request, socket, head) => {
    serve({ request, socket, head }, stream)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})

afterEach(() => {
  urls.clear()
  server.close()
})

interface Session {
  readonly client: WebSocket
  /** The messages: the channel and the text. */
  readonly messages: readonly (readonly [number, string])[]
  readonly closed: Promise<number>
}

function open(protocols: readonly string[]): Session {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, [...protocols])
  const messages: (readonly [number, string])[] = []
  client.on('message', (data: Buffer) => {
    messages.push([data[0] ?? -1, data.subarray(1).toString()])
  })
  const closed = new Promise<number>((resolve) => {
    client.on('close', resolve)
    client.on('error', () => {
      resolve(-1)
    })
  })
  return { client, messages, closed }
}

const v5 = ['v5.channel.k8s.io', 'v4.channel.k8s.io']

describe('a command over WebSocket', () => {
  it('gives on what is typed until its end, and ends with the exit code', async () => {
    let typed = ''
    stream = ok(
      urls.command(all, ({ stdout, stderr }) => {
        let finish: (code: Result<number, never>) => void = () => undefined
        stderr?.('warned', 0)
        return {
          ended: new Promise((resolve) => {
            finish = resolve
          }),
          kill: () => undefined,
          input: {
            receive: (text) => {
              typed += text
            },
            end: () => {
              stdout?.(`read ${typed}`, 0)
              finish(ok(7))
            },
          },
        }
      }),
    )
    const { client, messages, closed } = open(v5)
    client.on('open', () => {
      // A character that two messages share.
      client.send(Buffer.from([0, 0xc3]))
      client.send(Buffer.from([0, 0xbc]))
      client.send(Buffer.from([255, 0]))
    })
    expect(await closed).toBe(1000)
    expect(client.protocol).toBe('v5.channel.k8s.io')
    expect(messages.slice(0, 3)).toEqual([
      [1, ''],
      [2, 'warned'],
      [1, 'read ü'],
    ])
    const [channel, status] = messages[3] ?? [0, '{}']
    expect([channel, JSON.parse(status)]).toMatchObject([
      3,
      { status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ message: '7' }] } },
    ])
  })

  it('is killed when its client is gone', async () => {
    const killed = new Promise<void>((resolve) => {
      stream = ok(
        urls.command(all, () => ({
          ended: new Promise(() => undefined),
          kill: resolve,
          input: { receive: () => undefined, end: () => undefined },
        })),
      )
    })
    const { client } = open(v5)
    client.on('open', () => {
      client.terminate()
    })
    await killed
  })

  /** A command that prints at once, and resolves when it is killed. */
  function printing(print: (stdout: (text: string) => void) => void): Promise<void> {
    return new Promise((resolve) => {
      stream = ok(
        urls.command(all, ({ stdout }) => {
          print((text) => stdout?.(text, 0))
          return {
            ended: new Promise(() => undefined),
            kill: resolve,
            input: { receive: () => undefined, end: () => undefined },
          }
        }),
      )
    })
  }

  it('is killed when its client does not read more than is kept', async () => {
    const chunk = 'x'.repeat(1024 * 1024)
    const killed = printing((stdout) => {
      for (let count = 0; count < 140; count++) stdout(chunk)
    })
    const { client } = open(v5)
    client.on('open', () => {
      client.pause()
    })
    await killed
  })

  it('is killed when it does not read more input than is kept', async () => {
    let unread = 0
    const killed = new Promise<void>((resolve) => {
      stream = ok(
        urls.command(all, () => ({
          ended: new Promise(() => undefined),
          kill: resolve,
          input: {
            receive: (text) => {
              unread += text.length
            },
            end: () => undefined,
            unread: () => unread,
          },
        })),
      )
    })
    const { client } = open(v5)
    const message = Buffer.alloc(1024 * 1024)
    client.on('open', () => {
      for (let count = 0; count < 130; count++) client.send(message)
    })
    await killed
    expect(unread).toBeLessThan(130 * 1024 * 1024)
  })

  it('goes on after sizes of a terminal that make no sense', async () => {
    let typed = ''
    stream = ok(
      urls.command({ ...all, tty: true }, () => {
        let finish: (code: Result<number, never>) => void = () => undefined
        return {
          ended: new Promise((resolve) => {
            finish = resolve
          }),
          kill: () => undefined,
          input: {
            receive: (text) => {
              typed += text
            },
            end: () => {
              finish(ok(0))
            },
          },
        }
      }),
    )
    const { client, messages, closed } = open(v5)
    client.on('open', () => {
      for (const size of [
        '{"Width":0,"Height":0}',
        '{"Width":65535,"Height":65535}',
        '{"Width":-1,"Height":1e99}',
        '{"Width":',
        '',
      ])
        client.send(Buffer.concat([Buffer.from([4]), Buffer.from(size)]))
      client.send(Buffer.from([0, 0x61]))
      client.send(Buffer.from([255, 0]))
    })
    expect(await closed).toBe(1000)
    expect(typed).toBe('a')
    expect(messages.at(-1)?.[1]).toContain('"Success"')
  })

  it('is refused in the words of the kubelet', async () => {
    const body = 'container not found ("c")'
    stream = err({ kind: 'text', status: 500, contentType: 'text/plain; charset=utf-8', body })
    const { messages, closed } = open(v5)
    expect(await closed).toBe(1000)
    const [channel, status] = messages[0] ?? [0, '{}']
    expect([channel, JSON.parse(status)]).toMatchObject([
      3,
      { message: `Internal error occurred: unable to upgrade connection: ${body}`, code: 500 },
    ])
  })

  it('is refused with the Status of the API server before the upgrade', async () => {
    stream = err({ kind: 'text', status: 404, contentType: 'application/json', body: '{}' })
    expect(await open(v5).closed).toBe(-1)
  })

  it('can be opened once', async () => {
    const url = urls.portForward(() => err('refused'))
    expect(urls.take(url)).toBeDefined()
    stream = ok(url)
    expect(await open(v5).closed).toBe(-1)
  })
})
