import { request } from 'node:http'
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
    expect(await upgrade(newUrl(), { upgrade: 'websocket' })).toBe(400)
    expect(await upgrade(newUrl(), { 'x-stream-protocol-version': 'v1' })).toBe(403)
    expect((await fetch(newUrl(), { method: 'POST' })).status).toBe(400)
  })

  it('keeps a thousand URLs at most', async () => {
    const first = newUrl()
    for (let count = 0; count < 1000; count++) newUrl()
    expect(await upgrade(first, protocols)).toBe(404)
  })
})

it('the dictionary of SPDY/3 has 1423 bytes', () => {
  expect(spdyDictionary.length).toBe(1423)
})
