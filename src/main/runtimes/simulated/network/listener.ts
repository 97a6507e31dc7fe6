import type { Result } from '../../../../shared/result.ts'
import type {
  GrpcHealthCheckError,
  GrpcServingStatus,
  HttpHeader,
} from '../../../kubelet/probe/pod-network.ts'

export interface HttpRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: readonly HttpHeader[]
  /** The client's address. */
  readonly from: string
}

export interface HttpAnswer {
  readonly statusCode: number
  readonly body: string
  readonly headers?: readonly HttpHeader[]
}

/** What listens on a port. It answers at once. */
export interface Listener {
  /** Absent: not HTTP; the connection is closed. Undefined: closed without an answer. */
  readonly http?: (request: HttpRequest) => HttpAnswer | undefined
  /** grpc.health.v1.Health/Check. Absent: not gRPC. */
  readonly health?: (service: string) => Result<GrpcServingStatus, GrpcHealthCheckError>
  /** False: the port is not open yet. Absent: it is. */
  readonly isOpen?: () => boolean
  /** Whether connections of probes fail. */
  readonly isFailing?: () => boolean
  /** A connection on which the client sends nothing. */
  readonly onConnect?: () => void
}

/** The open ports of a network namespace. */
export class OpenPorts {
  readonly #listeners = new Map<number, Listener>()
  #later: readonly (() => void)[] = []

  /** Defers opening ports until the first connection, to save memory. */
  openLater(open: () => void): void {
    this.#later = [...this.#later, open]
  }

  at(port: number): Listener | undefined {
    for (const open of this.#later) open()
    this.#later = []
    const listener = this.#listeners.get(port)
    return listener?.isOpen?.() === false ? undefined : listener
  }

  /** Undefined if the port is in use. Otherwise returns a function that closes the port. */
  open(port: number, listener: Listener): (() => void) | undefined {
    if (this.#listeners.has(port)) return undefined
    this.#listeners.set(port, listener)
    return () => {
      if (this.#listeners.get(port) === listener) this.#listeners.delete(port)
    }
  }
}
