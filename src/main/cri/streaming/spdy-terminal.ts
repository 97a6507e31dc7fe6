import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { openSpdy } from './open-spdy.ts'
import type { SpdyAddress } from './open-spdy.ts'
import { endOf, parsed } from './stream-answers.ts'
import type { TerminalListener, TerminalStream } from './terminal-stream.ts'

/** The only one needed: newer ones can end stdin alone, which a terminal does not. */
const protocols = ['v4.channel.k8s.io']

/**
 * A terminal over SPDY/3.1, like kubectl for an API server that refuses the WebSocket: this is a POST, so that a user who
 * may create pods/exec but not get it has a terminal too.
 */
export async function openSpdyTerminal(
  address: SpdyAddress,
  { printed, ended }: TerminalListener,
): Promise<Result<TerminalStream, string>> {
  const opened = await openSpdy(address, { protocols, what: 'command' })
  if (!opened.ok) return opened
  const connection = opened.value
  const [error, stdin, stdout, resize] = ['error', 'stdin', 'stdout', 'resize'].map((streamtype) =>
    connection.open({ streamtype }),
  )
  const decoder = new TextDecoder()
  let status = ''
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    ended(
      status === ''
        ? { exitCode: null, message: `${address.who} closed the connection.` }
        : endOf(parsed(status)),
    )
    connection.drop()
  }
  if (stdout !== undefined)
    stdout.receiver = {
      receive: (bytes) => {
        if (!hasEnded) printed(decoder.decode(bytes, { stream: true }))
      },
      end: () => undefined,
    }
  if (error !== undefined)
    error.receiver = {
      receive: (bytes) => {
        status += Buffer.from(bytes).toString()
      },
      end,
    }
  connection.onClose(end)
  return ok({
    write: (text) => stdin?.write(text),
    resize: ({ columns, rows }) => resize?.write(JSON.stringify({ Width: columns, Height: rows })),
    close: () => {
      hasEnded = true
      connection.drop()
    },
  })
}
