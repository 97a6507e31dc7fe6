import { request as httpRequest, STATUS_CODES } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Result } from '../../../shared/result.ts'
import type { KubeletText } from '../../kubelet/server/kubelet-request.ts'
import { refuse, refuseWith } from './upgrade.ts'
import type { Upgrade } from './upgrade.ts'

/** Real ms until the runtime has answered. */
const answerLimitMs = 10_000

function headLines(answer: IncomingMessage): string {
  const { statusCode = 502, statusMessage = STATUS_CODES[statusCode] ?? '', rawHeaders } = answer
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Passes the connection of a kubelet's client on to the URL that a runtime serves (kubelet pkg/kubelet/server: proxyStream). */
export function proxyUpgrade(upgrade: Upgrade, stream: Result<string, KubeletText>): void {
  const { request, socket, head } = upgrade
  if (!stream.ok) {
    refuseWith(socket, stream.error)
    return
  }
  const url = new URL(stream.value)
  const { authorization: _authorization, host: _host, ...headers } = request.headers
  const passed = httpRequest(url, {
    method: request.method,
    headers: { ...headers, host: url.host },
    agent: false,
    timeout: answerLimitMs,
  })
  const failed = (reason: string): void => {
    if (socket.destroyed) return
    refuse(socket, '502 Bad Gateway', `the container runtime's stream: ${reason}\n`, 'text/plain')
  }
  passed.on('timeout', () => {
    passed.destroy(new Error(`no answer within ${answerLimitMs / 1000} s`))
  })
  passed.on('error', ({ message }) => {
    failed(message)
  })
  passed.on('response', (answer) => {
    socket.write(headLines(answer))
    answer.pipe(socket)
  })
  passed.on('upgrade', (answer, runtime, first) => {
    runtime.setTimeout(0)
    runtime.on('error', () => socket.destroy())
    socket.on('close', () => runtime.destroy())
    runtime.on('close', () => socket.destroy())
    socket.write(headLines(answer))
    socket.write(first)
    runtime.write(head)
    socket.pipe(runtime).pipe(socket)
  })
  socket.on('error', () => passed.destroy())
  passed.end()
}
