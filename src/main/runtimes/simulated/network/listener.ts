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
  readonly http?: ((request: HttpRequest) => HttpAnswer | undefined) | undefined
  /** grpc.health.v1.Health/Check. Absent: not gRPC. */
  readonly health?:
    ((service: string) => Result<GrpcServingStatus, GrpcHealthCheckError>) | undefined
  /** False: the port is not open yet. Absent: it is. */
  readonly isOpen?: () => boolean
  /** Whether connections of probes fail. */
  readonly isFailing?: () => boolean
  /** A connection on which the client sends nothing. */
  readonly onConnect?: (() => void) | undefined
}

/** Opens the ports of simulated containers on this machine, so that real programs reach them. */
export interface MachinePorts {
  /** Listens at an address of this machine while the listener is open. Returns what ends it. */
  readonly listen: (address: string, port: number, listener: Listener) => () => void
}

const none: readonly never[] = []

/** The container that opens a port. */
export interface PortOwner {
  /** The listener as annotations change it. */
  readonly listenerOf: (listener: Listener) => Listener
}

interface OpenPort {
  readonly port: number
  readonly listener: Listener
  readonly owner: PortOwner
  /** Closes it on this machine. */
  readonly close: (() => void) | undefined
}

/** Something that opens its ports when it is first asked for one. */
export interface PortOpener {
  readonly openPorts: () => void
}

/** The open ports of a network namespace. */
export class OpenPorts {
  /** A short list, replaced at each change: it has no spare capacity. */
  #open: readonly OpenPort[] = none
  readonly #listen: ((port: number, listener: Listener) => () => void) | undefined
  /** Replaced likewise. */
  #later: readonly PortOpener[] = none

  /** `listen`: also opens each port on this machine, and returns what closes it there. */
  constructor(listen?: (port: number, listener: Listener) => () => void) {
    this.#listen = listen
  }

  /** Defers opening ports until the first connection, to save memory, unless they are opened on this machine too. */
  openLater(opener: PortOpener): void {
    if (this.#listen === undefined) this.#later = this.#later.concat([opener])
    else opener.openPorts()
  }

  at(port: number): Listener | undefined {
    const later = this.#later
    this.#later = none
    for (const opener of later) opener.openPorts()
    const listener = this.#listenerOf(port)
    return listener?.isOpen?.() === false ? undefined : listener
  }

  /** Undefined if the port is in use. Otherwise returns a function that closes the port. */
  open(port: number, listener: Listener, owner: PortOwner): (() => void) | undefined {
    if (this.#listenerOf(port) !== undefined) return undefined
    const close = this.#listen?.(port, owner.listenerOf(listener))
    const opened = { port, listener, owner, close }
    this.#open = this.#open.concat([opened])
    return () => {
      this.#close((other) => other === opened)
    }
  }

  /** Closes what it opened and has not closed. */
  closeAllOf(owner: PortOwner): void {
    this.#close((opened) => opened.owner === owner)
  }

  #close(isClosing: (opened: OpenPort) => boolean): void {
    const closing = this.#open.filter(isClosing)
    if (closing.length === 0) return
    this.#open = this.#open.filter((opened) => !isClosing(opened))
    for (const { close } of closing) close?.()
  }

  #listenerOf(port: number): Listener | undefined {
    const opened = this.#open.find((one) => one.port === port)
    return opened?.owner.listenerOf(opened.listener)
  }
}
