import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'

/** A name and a value, as a message carries them; a name may come more than once. */
export type HttpHeader = readonly [name: string, value: string]

interface Destination {
  /** An IPv4 or IPv6 address without brackets, or a name. On the node: `localhost` is the node's own. */
  readonly host: string
  readonly port: number
  /** From the call to its end; positive. Infinity: no limit but the network's own. */
  readonly timeoutMs: number
}

export interface HttpGetRequest extends Destination {
  readonly scheme: 'http' | 'https'
  /** With its query, as it stands in the request line. */
  readonly path: string
  /** Names as Go writes them (`X-Custom`); without Host, unless the request names one of its own. */
  readonly headers: readonly HttpHeader[]
}

export interface HttpGetResponse {
  readonly statusCode: number
  /** The first 10 kB of it, as text. */
  readonly body: string
  readonly headers: readonly HttpHeader[]
  /** Why the body ended before its end; absent when it did not. */
  readonly bodyError?: string
}

export interface GrpcHealthCheckRequest extends Destination {
  /** Empty: the server as a whole. */
  readonly service: string
  readonly userAgent: string
}

/** grpc.health.v1 HealthCheckResponse.ServingStatus. */
export type GrpcServingStatus = 'UNKNOWN' | 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN'

/**
 * Why a health check has no answer. `not-connected`: no HTTP/2 connection within the timeout (a refused connection is
 * tried again until then, so that this comes when the time is over); `status`: the call's gRPC status, by its name in Go.
 */
export type GrpcHealthCheckError =
  | { readonly kind: 'not-connected' }
  | { readonly kind: 'status'; readonly code: string; readonly message: string }

/**
 * How the kubelet reaches what listens in a pod: for its probes and HTTP hooks. It connects from the node, with no
 * proxy. Errors are Go's words after the URL (`dial tcp 10.0.0.1:80: connect: connection refused`, `context deadline
 * exceeded (Client.Timeout exceeded while awaiting headers)`), since the kubelet puts them in its events. Calls settle
 * by microtasks or the clock, and after `timeoutMs` at the latest.
 */
export interface PodNetwork {
  /**
   * One GET; redirects are the caller's. The server's certificate is not checked. An HTTP answer to an `https` request
   * is the error `http: server gave HTTP response to HTTPS client`.
   */
  readonly httpGet: (
    request: HttpGetRequest,
    causes?: TraceCauses,
  ) => Promise<Result<HttpGetResponse, string>>
  /** Opens a connection and closes it. Too late is `dial tcp HOST:PORT: i/o timeout`. */
  readonly tcpConnect: (
    destination: Destination,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, string>>
  /** grpc.health.v1.Health/Check, without TLS. */
  readonly grpcHealthCheck: (
    request: GrpcHealthCheckRequest,
    causes?: TraceCauses,
  ) => Promise<Result<GrpcServingStatus, GrpcHealthCheckError>>
}
