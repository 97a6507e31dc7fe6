import { WebSocket } from 'ws'
import type { ClientOptions } from 'ws'
import type { TerminalEnd, TerminalSize } from '../../../shared/model/terminal.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { legibleText } from '../../files/byte-text.ts'
import { CommandInput, runCommand } from './command-streams.ts'
import { endOf, parsed, refusalOf } from './stream-answers.ts'
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
export const streamsOverWebSocket: OpenTerminalStream = async (url, listener) =>
  openTerminal({ url, protocols: [protocol], who: 'The runtime' }, listener)

/** A WebSocket that a command with a terminal is spoken over. */
export interface TerminalAddress {
  /** http or https. */
  readonly url: string
  /** Newest first. */
  readonly protocols: readonly string[]
  /** Who answers, as the beginning of a sentence. */
  readonly who: string
  /** Headers and TLS. */
  readonly options?: ClientOptions
  /** Another way to it, for an answer that is no WebSocket. */
  readonly otherwise?: () => Promise<Result<TerminalStream, string>>
}

/** Opens a terminal by WebSocket. The error is one sentence, with the answer if it is a refusal. */
export async function openTerminal(
  { url, protocols, who, options = {}, otherwise }: TerminalAddress,
  { printed, ended }: TerminalListener,
): Promise<Result<TerminalStream, string>> {
  return await new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], {
      ...options,
      perMessageDeflate: false,
      maxPayload: maxMessageBytes,
      followRedirects: false,
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
      failure = failure === '' ? error.message : failure
    })
    socket.on('unexpected-response', (request, response) => {
      void refusalOf(response).then((words) => {
        failure = words
        hasEnded = true
        request.destroy()
        resolve(otherwise?.() ?? err(`${who} refused the command (${words}).`))
      })
    })
    socket.on('message', (data: Buffer) => {
      if (hasEnded) return
      const body = data.subarray(1)
      if (data[0] === channels.stdout) printed(decoder.decode(body, { stream: true }))
      else if (data[0] === channels.error) end(endOf(parsed(body.toString())))
    })
    socket.on('close', () => {
      const reason = failure === '' ? '' : `: ${failure}`
      resolve(err(`${who} did not open the stream${reason}.`))
      end({ exitCode: null, message: `${who} closed the connection${reason}.` })
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
}
