/** A request to a kubelet's own server, as values. HTTP is an adapter around it. */
export interface KubeletRequest {
  readonly method: string
  /** Decoded, without its query: `/containerLogs/default/web/c`. */
  readonly path: string
  /** Of several values of a name the first. */
  readonly query: Readonly<Record<string, string>>
  /** The words of `command` in the query, in their order. */
  readonly command?: readonly string[]
}

/** Text that comes over time. Iterating ends when there is no more; `stop` ends it from this side, twice is fine. */
export interface TextStream {
  readonly chunks: AsyncIterable<string>
  readonly stop: () => void
}

interface Answer {
  /** The HTTP status code. */
  readonly status: number
  /** Empty: a client has to find out. */
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A whole answer. */
export interface KubeletText extends Answer {
  readonly kind: 'text'
  readonly body: string
}

export type KubeletResponse =
  KubeletText | (Answer & { readonly kind: 'stream'; readonly stream: TextStream })

/** A request for streams to a pod or one of its containers. */
export interface KubeletStreamRequest {
  readonly kind: 'exec' | 'attach' | 'portForward'
  readonly namespace: string
  readonly name: string
  /** Empty for portForward. */
  readonly container: string
  /** Of exec. */
  readonly command: readonly string[]
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

const plainText = 'text/plain; charset=utf-8'

/** As a kubelet's handlers answer. */
export function textAnswer(status: number, body: string, contentType = plainText): KubeletText {
  return { kind: 'text', status, contentType, body }
}

/** As Go's HTTP library answers an error: with a newline. */
export function httpError(status: number, message: string): KubeletText {
  const headers = { 'x-content-type-options': 'nosniff' }
  return { ...textAnswer(status, `${message}\n`), headers }
}
