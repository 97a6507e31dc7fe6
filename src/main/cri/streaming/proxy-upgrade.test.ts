import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { textAnswer } from '../../kubelet/server/kubelet-request.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import { proxyUpgrade } from './proxy-upgrade.ts'
import { StreamingServer } from './streaming-server.ts'

let runtime: StreamingServer
let kubelet: Server
let stream: Result<string, KubeletText>

beforeEach(async () => {
  runtime = new StreamingServer()
  await runtime.start()
  kubelet = createServer()
  kubelet.on('upgrade', (request, socket, head) => {
    proxyUpgrade({ request, socket, head }, stream)
  })
  kubelet.listen(0, '127.0.0.1')
  await once(kubelet, 'listening')
})

afterEach(() => {
  runtime.stop()
  kubelet.close()
})

function client(): WebSocket {
  const { port } = kubelet.address() as AddressInfo
  return new WebSocket(`ws://127.0.0.1:${port}/exec/default/p/c`, 'v5.channel.k8s.io')
}

async function refusalOf(socket: WebSocket): Promise<string> {
  const [error] = (await once(socket, 'error')) as [Error]
  return error.message
}

it('passes what a client sends to the runtime, and what comes back', async () => {
  const echoed: string[] = []
  const url = runtime.command(
    { stdin: true, stdout: true, stderr: false, tty: false },
    ({ stdout }) => {
      let end: (result: Result<number, string>) => void
      return {
        ended: new Promise((resolve) => {
          end = resolve as typeof end
        }),
        kill: () => undefined,
        input: {
          receive: (bytes) => stdout?.(`got ${String(bytes)}`, 0),
          end: () => {
            end(ok(3))
          },
        },
      }
    },
  )
  stream = ok(url)
  const socket = client()
  let status = ''
  socket.on('message', (data: Buffer) => {
    if (data[0] === 1 && data.length > 1) echoed.push(data.subarray(1).toString())
    if (data[0] === 3) status = data.subarray(1).toString()
    if (echoed.length === 1 && data[0] === 1 && data.length > 1) socket.send(Buffer.from([255, 0]))
  })
  await once(socket, 'open')
  socket.send(Buffer.concat([Buffer.from([0]), Buffer.from('words')]))
  await once(socket, 'close')
  expect(echoed).toEqual(['got words'])
  expect(status).toContain('"message":"3"')
})

it('answers with the kubelet’s refusal, the runtime’s, or why there is none', async () => {
  stream = err(textAnswer(404, 'pod does not exist'))
  expect(await refusalOf(client())).toBe('Unexpected server response: 404')
  stream = ok('http://127.0.0.1:1/none')
  expect(await refusalOf(client())).toBe('Unexpected server response: 502')
  const url = runtime.portForward(() => err('none'))
  stream = ok(url.replace(/\/[^/]+$/, '/guessed'))
  expect(await refusalOf(client())).toBe('Unexpected server response: 404')
})
