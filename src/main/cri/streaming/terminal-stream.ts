import { WebSocket } from 'ws'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { TerminalEnd, TerminalSize } from '../../../shared/model/terminal.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { legibleText } from '../../files/byte-text.ts'
import { CommandInput, runCommand } from './command-streams.ts'
import type { StreamUrls } from './stream-urls.ts'
import { channels } from './upgrade.ts'

/** The client's side of a command that has a terminal. */
export interface TerminalStream {
  readonly write: (text: string) => void
  readonly resize: (size: TerminalSize) => void
  /** Ends the connection, and with it a simulated command. Twice is fine. */
  readonly close: () => void
}

export interface TerminalListener {
  readonly printed: (text: string) => void
  /** Called once, and last; not after `close`. */
  readonly ended: (end: TerminalEnd) => void
}

/** Opens the URL that a runtime answered to an exec with a terminal. The error is one sentence. */
export type OpenTerminalStream = (
  url: string,
  listener: TerminalListener,
) => Promise<Result<TerminalStream, string>>

/** Streams of a runtime in this process. */
export function streamsInProcess(urls: StreamUrls): OpenTerminalStream {
  return (url, { printed, ended }) => {
    const pending = urls.take(url)
    if (pending?.kind !== 'command')
      return Promise.resolve(err('The runtime no longer has this stream.'))
    const input = new CommandInput()
    let hasEnded = false
    let kill = (): void => undefined
    const output = {
      stdout: (text: string): void => {
        if (!hasEnded) printed(legibleText(text))
      },
      stderr: undefined,
      end: (status: object): void => {
        if (hasEnded) return
        hasEnded = true
        ended(endOf(status))
      },
      drop: (): void => {
        kill()
      },
      onClose: (listener: () => void): void => {
        kill = listener
      },
    }
    runCommand(pending.run, output, input)
    return Promise.resolve(
      ok({
        write: (text) => {
          input.receive(Buffer.from(text))
        },
        // Simulated programs do not ask for the size.
        resize: () => undefined,
        close: () => {
          if (hasEnded) return
          hasEnded = true
          kill()
        },
      }),
    )
  }
}

/** What every runtime speaks that uses Kubernetes' streaming library (k8s.io/kubelet/pkg/cri/streaming/remotecommand). */
const protocol = 'v4.channel.k8s.io'
const maxMessageBytes = 16 * 1024 * 1024

/** Streams that a runtime serves, by WebSocket. */
export const streamsOverWebSocket: OpenTerminalStream = (url, { printed, ended }) =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), protocol, {
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
    })
    const decoder = new TextDecoder()
    let failure = ''
    let hasEnded = false
    const end = (result: TerminalEnd): void => {
      if (hasEnded) return
      hasEnded = true
      ended(result)
    }
    const send = (channel: number, text: string): void => {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]))
    }
    socket.on('error', (error) => {
      failure = error.message
    })
    socket.on('message', (data: Buffer) => {
      if (hasEnded) return
      const body = data.subarray(1)
      if (data[0] === channels.stdout) printed(decoder.decode(body, { stream: true }))
      else if (data[0] === channels.error) end(endOf(parsed(body.toString())))
    })
    socket.on('close', () => {
      const reason = failure === '' ? '' : `: ${failure}`
      resolve(err(`The runtime did not open the stream${reason}.`))
      end({ exitCode: null, message: `The runtime closed the connection${reason}.` })
    })
    socket.on('open', () => {
      resolve(
        ok({
          write: (text) => {
            send(channels.stdin, text)
          },
          resize: ({ columns, rows }) => {
            send(channels.resize, JSON.stringify({ Width: columns, Height: rows }))
          },
          close: () => {
            hasEnded = true
            socket.close()
          },
        }),
      )
    })
  })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text }
  }
}

/** From the Status that ends a command (apimachinery/pkg/util/remotecommand). */
function endOf(status: unknown): TerminalEnd {
  if (!isJsonObject(status)) return { exitCode: null, message: 'The runtime gave no exit code.' }
  if (status['status'] === 'Success') return { exitCode: 0, message: '' }
  const causes = objectsAt(objectAt(status, 'details'), 'causes')
  const code = causes.find((cause) => textAt(cause, 'reason') === 'ExitCode')
  if (code === undefined) return { exitCode: null, message: textAt(status, 'message') }
  return { exitCode: Number(textAt(code, 'message')), message: '' }
}
