import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { assertNever } from '../../../shared/assert-never.ts'
import { bytesOfText } from '../../files/byte-text.ts'
import type { ConnectResponse } from '../connect/connect-request.ts'
import type { WatchStream } from '../../../shared/kubernetes/request.ts'

const json = 'application/json'

/** What ends a watch or another stream. */
export interface WriteLimits {
  /** Aborted when the listener stops. */
  readonly closing: AbortSignal
  /** Real ms. */
  readonly limitMs: number | undefined
}

// The longest timeout of Node.js.
const longestMs = 2 ** 31 - 1

function writeWhole(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  response.writeHead(status, { ...headers, 'content-length': length })
  response.end(body)
}

/** Waits until the socket accepts more data or is closed. */
async function hasRoom(response: ServerResponse, closed: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: closed })
  } catch (error) {
    if (!closed.aborted) throw error
  }
}

interface Chunks {
  readonly chunks: AsyncIterable<string>
  readonly stop: () => void
  readonly headers: Readonly<Record<string, string>>
}

async function* jsonLines({ events }: WatchStream): AsyncGenerator<string> {
  for await (const { type, object } of events) yield `${JSON.stringify({ type, object })}\n`
}

/**
 * Streams what comes. If the client does not read, the function stops reading, so that the server's own queue limits
 * it. Ends with the stream, with the connection, or at a limit.
 */
async function writeChunks(
  response: ServerResponse,
  { chunks, stop, headers }: Chunks,
  { closing, limitMs }: WriteLimits,
): Promise<void> {
  const closed = new AbortController()
  const end = (): void => {
    closed.abort()
    // The loop below can wait for what comes next: stopping the stream ends it.
    stop()
  }
  // The response's `close`, not the request's, which is emitted once the request's body has been read.
  response.once('close', end)
  closing.addEventListener('abort', end, { once: true })
  const limit = limitMs === undefined ? undefined : setTimeout(end, Math.min(limitMs, longestMs))
  try {
    if (response.destroyed || closing.aborted) end()
    else response.writeHead(200, headers)
    // Before anything comes: kubectl waits for the headers.
    if (!closed.signal.aborted) response.flushHeaders()
    for await (const chunk of chunks) {
      if (closed.signal.aborted) break
      if (!response.write(bytesOfText(chunk))) await hasRoom(response, closed.signal)
    }
  } finally {
    clearTimeout(limit)
    closing.removeEventListener('abort', end)
    stop()
    response.end()
  }
}

function headersOf(answer: {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}): Readonly<Record<string, string>> {
  const { contentType, headers = {} } = answer
  return contentType === '' ? headers : { ...headers, 'content-type': contentType }
}

/** Writes an answer of the API server. Resolves when it is sent, or when a stream has ended. */
export async function writeResponse(
  response: ServerResponse,
  answer: ConnectResponse,
  limits: WriteLimits,
): Promise<void> {
  switch (answer.kind) {
    case 'object': {
      const headers = { ...answer.headers, 'content-type': answer.contentType ?? json }
      // With a newline, like a real server.
      writeWhole(response, answer.status, headers, `${JSON.stringify(answer.body)}\n`)
      return
    }
    case 'text':
      writeWhole(response, answer.status, headersOf(answer), answer.body)
      return
    case 'watch':
      await writeChunks(
        response,
        {
          chunks: jsonLines(answer.stream),
          stop: answer.stream.stop,
          headers: { 'content-type': json, 'cache-control': 'no-cache, private' },
        },
        limits,
      )
      return
    case 'stream':
      await writeChunks(response, { ...answer.stream, headers: headersOf(answer) }, limits)
      return
    default:
      return assertNever(answer, 'response')
  }
}
