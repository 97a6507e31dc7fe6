import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { RequestOptions } from 'node:https'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { SpdyConnection } from './spdy-connection.ts'
import { refusalOf } from './stream-answers.ts'

const openWithinMs = 30_000

/** Where a stream over SPDY/3.1 is reached. */
export interface SpdyAddress {
  /** http or https. */
  readonly url: string
  /** Who answers, as the beginning of a sentence. */
  readonly who: string
  readonly headers?: Readonly<Record<string, string>>
  readonly tls?: RequestOptions
}

/** Opens a connection over SPDY/3.1. `protocols`: newest first; `what` is refused. The error is one sentence. */
export async function openSpdy(
  { url, who, headers = {}, tls = {} }: SpdyAddress,
  { protocols, what }: { readonly protocols: readonly string[]; readonly what: string },
): Promise<Result<SpdyConnection, string>> {
  return await new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const sent = send(url, {
      ...tls,
      agent: false,
      method: 'POST',
      timeout: openWithinMs,
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': protocols.join(', '),
      },
    })
    sent.on('upgrade', (_response, socket, head) => {
      socket.setTimeout(0)
      const connection = new SpdyConnection(socket)
      connection.serve(head, () => undefined)
      resolve(ok(connection))
    })
    sent.on('response', (response) => {
      void refusalOf(response).then((words) => {
        sent.destroy()
        resolve(err(`${who} refused the ${what} (${words}).`))
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')))
    sent.on('error', (error) => {
      resolve(err(`${who} did not open the ${what}: ${error.message}.`))
    })
    sent.end()
  })
}
