/** A request to a kubelet's own server, as values. HTTP is an adapter around it. */
export interface KubeletRequest {
  readonly method: string
  /** Decoded, without its query: `/containerLogs/default/web/c`. */
  readonly path: string
  /** Of several values of a name the first. */
  readonly query: Readonly<Record<string, string>>
}

/** Text that comes over time. Iterating ends when there is no more; `stop` ends it from this side, twice is fine. */
export interface TextStream {
  readonly chunks: AsyncIterable<string>
  readonly stop: () => void
}

/** A whole answer. `status`: the HTTP status code. */
export interface KubeletText {
  readonly kind: 'text'
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export type KubeletResponse =
  | KubeletText
  | {
      readonly kind: 'stream'
      readonly status: number
      readonly contentType: string
      readonly stream: TextStream
    }

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
