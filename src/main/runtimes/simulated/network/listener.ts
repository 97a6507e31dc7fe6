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

/** Opens the ports of simulated containers on this machine, so that real programs reach them. */
export interface MachinePorts {
  /** Listens at an address of this machine while the listener is open. Returns what ends it. */
  readonly listen: (address: string, port: number, listener: Listener) => () => void
}

/** The open ports of a network namespace. */
export class OpenPorts {
  readonly #listeners = new Map<number, Listener>()
  readonly #listen: ((port: number, listener: Listener) => () => void) | undefined
  #later: readonly (() => void)[] = []

  /** `listen`: also opens each port on this machine, and returns what closes it there. */
  constructor(listen?: (port: number, listener: Listener) => () => void) {
    this.#listen = listen
  }

  /** Defers opening ports until the first connection, to save memory, unless they are opened on this machine too. */
  openLater(open: () => void): void {
    if (this.#listen === undefined) this.#later = [...this.#later, open]
    else open()
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
    const close = this.#listen?.(port, listener)
    return () => {
      if (this.#listeners.get(port) === listener) this.#listeners.delete(port)
      close?.()
    }
  }
}
