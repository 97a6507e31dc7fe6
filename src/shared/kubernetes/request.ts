/**
 * One Kubernetes API call as values: what the sandbox's server handles as a plain object, and what
 * a transport carries to a real one. HTTP is an adapter around these.
 */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface KubeRequest {
  readonly method: HttpMethod
  /** Without query, decoded per segment by the server: `/api/v1/namespaces/default/pods/web`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Names in lower case. `accept` and `content-type` decide formats; `user-agent` names the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parsed JSON. Bytes (a Uint8Array) only where the content type is not JSON. */
  readonly body?: unknown
  /** Where an object of a JSON body has a field twice: the paths of all its fields, in order. */
  readonly bodyFields?: readonly string[]
  /** Trace events that led to this call; empty for a root (kubectl). */
  readonly causes?: readonly number[]
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

/** A watch event with its frozen object. `causes` is set only where server and client share a trace. */
export interface WatchEvent<T = unknown> {
  readonly type: WatchEventType
  readonly object: T
  readonly causes?: readonly number[]
}

/** A running watch. Iterating ends when the server closes it; `stop` closes it from this side, twice is fine. */
export interface WatchStream<T = unknown> {
  readonly events: AsyncIterable<WatchEvent<T>>
  readonly stop: () => void
  /** Calls back once when the server ends it, at once if it has. Absent where the server is elsewhere. */
  readonly onEnd?: (act: () => void) => void
}

export type KubeResponse =
  | {
      readonly kind: 'object'
      /** HTTP status code. */
      readonly status: number
      readonly body: unknown
      /** Defaults to application/json. Aggregated discovery and OpenAPI name their own. */
      readonly contentType?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'text'
      readonly status: number
      readonly body: string | Uint8Array
      readonly contentType: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'watch'; readonly status: 200; readonly stream: WatchStream }

/**
 * Carries one request to an API server. Resolves with the server's answer whatever its status;
 * rejects only when there is no answer (a `TransportError`). `signal`-like stopping goes through the
 * watch's `stop`. May be called any number of times at once.
 */
export interface Transport {
  readonly send: (request: KubeRequest) => Promise<KubeResponse>
}

/** Why no answer came. `unavailable`: not reachable; `timeout`: no answer in time; `unauthorized` never comes here, it is an answer. */
export class TransportError extends Error {
  readonly kind: 'unavailable' | 'timeout' | 'invalid'
  /** The server did not get the request. False: not known. */
  readonly isUnsent: boolean

  constructor(
    kind: 'unavailable' | 'timeout' | 'invalid',
    message: string,
    options: { readonly cause?: unknown; readonly isUnsent?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'TransportError'
    this.kind = kind
    this.isUnsent = options.isUnsent ?? false
  }
}
