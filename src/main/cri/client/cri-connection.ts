import { Client, credentials, status } from '@grpc/grpc-js'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { RuntimeError } from '../../kubelet/ports.ts'
import { decodeMessage, encodeMessage } from '../cri-codec.ts'
import type { MessageName } from '../cri-schema.ts'
import { runtimeErrorOf } from '../grpc-errors.ts'

/** As in the kubelet (cri-client remote_runtime.go and utils.go). */
const limits = {
  maxMessageBytes: 16 * 1024 * 1024,
  firstReconnectMs: 100,
  longestReconnectMs: 3000,
} as const

/** One call of a service of CRI v1. */
export interface CriCall {
  readonly service: 'RuntimeService' | 'ImageService'
  readonly method: string
  readonly request: MessageName
  readonly response: MessageName
  readonly message: object
  /** Infinity: none. */
  readonly timeoutMs: number
}

/** A connection to a Unix socket that serves CRI v1. It connects with the first call, and again after each end of the connection. */
export class CriConnection {
  readonly #client: Client

  constructor(socketPath: string) {
    this.#client = new Client(`unix:${socketPath}`, credentials.createInsecure(), {
      'grpc.default_authority': 'localhost',
      'grpc.max_receive_message_length': limits.maxMessageBytes,
      'grpc.initial_reconnect_backoff_ms': limits.firstReconnectMs,
      'grpc.max_reconnect_backoff_ms': limits.longestReconnectMs,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
      'grpc.enable_retries': 0,
    })
  }

  /** The answer as `decodeMessage` gives it. */
  call({ service, method, ...call }: CriCall): Promise<Result<unknown, RuntimeError>> {
    const { request, response, message, timeoutMs } = call
    return new Promise((resolve) => {
      this.#client.makeUnaryRequest<object, unknown>(
        `/runtime.v1.${service}/${method}`,
        (body) => encodeMessage(request, body),
        (bytes) => decodeMessage(response, bytes),
        message,
        Number.isFinite(timeoutMs) ? { deadline: Date.now() + timeoutMs } : {},
        (error, answer) => {
          if (error === null) resolve(ok(answer))
          else resolve(err(runtimeErrorOf({ code: error.code, details: detailsOf(error) })))
        },
      )
    })
  }

  /** Ends the connection; no call may follow. */
  close(): void {
    this.#client.close()
  }
}

/** What a connection to a Unix socket is refused with, in the words of Go. */
const dialErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
}

/** A failure of this side is told in the words of grpc-go. */
function detailsOf({ code, details }: { readonly code: number; readonly details: string }): string {
  if (code === status.DEADLINE_EXCEEDED && details.startsWith('Deadline exceeded after'))
    return 'context deadline exceeded'
  if (code !== status.UNAVAILABLE) return details
  if (details === 'Connection dropped') return 'error reading from server: EOF'
  const [, cause] =
    /^No connection established\. Last error: (.*) \(\S+Z\)\. Resolution note: /.exec(details) ?? []
  const [, failure = '', path = ''] = /: connect ([A-Z]+) (\S+?)\.? /.exec(`${details} `) ?? []
  const words = dialErrors[failure]
  if (words === undefined) return cause ?? details
  return `connection error: desc = "transport: Error while dialing: dial unix ${path}: connect: ${words}"`
}
