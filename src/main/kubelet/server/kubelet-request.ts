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

/** `status`: the HTTP status code. */
export type KubeletResponse =
  | {
      readonly kind: 'text'
      readonly status: number
      readonly contentType: string
      readonly body: string
    }
  | {
      readonly kind: 'stream'
      readonly status: number
      readonly contentType: string
      readonly stream: TextStream
    }
