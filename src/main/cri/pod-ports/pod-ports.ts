import type { CancelTimer, Clock, Log } from '../../kubelet/ports.ts'
import type { Listener, MachinePorts } from '../../runtimes/simulated/network/listener.ts'
import { healthServer } from './health-server.ts'
import { PortServer } from './port-server.ts'
import type { Protocols } from './port-server.ts'
import { siteServer } from './site-server.ts'

/** How often annotations that open and close a port are looked at. */
const recheckMs = 100

/** What takes connections to a listener. */
export function protocolsOf({ http, health, onConnect }: Listener): Protocols {
  return {
    http: http && siteServer(http),
    grpc: health && healthServer(health),
    silent: () => onConnect?.(),
  }
}

/**
 * Opens the ports of simulated containers on this machine. A port that annotations make fail answers HTTP requests with
 * 500 and health checks with NOT_SERVING; one that serves neither is closed meanwhile.
 */
export class PodPorts implements MachinePorts {
  readonly #clock: Clock
  readonly #log: Log
  readonly #open = new Set<() => void>()

  constructor(deps: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = deps.clock
    this.#log = deps.log
  }

  readonly listen: MachinePorts['listen'] = (address, port, listener) => {
    const protocols = protocolsOf(listener)
    const isTcpOnly = listener.http === undefined && listener.health === undefined
    let server: PortServer | undefined
    let cancel: CancelTimer | undefined
    const recheck = (): void => {
      const isOpen = listener.isOpen?.() !== false
      const mustListen = isOpen && !(isTcpOnly && listener.isFailing?.() === true)
      if (!mustListen) {
        server?.close()
        server = undefined
      } else server ??= new PortServer({ address, port, protocols, log: this.#log })
      const canChange = !isOpen || (isTcpOnly && listener.isFailing !== undefined)
      cancel = canChange ? this.#clock.after(recheckMs, recheck) : undefined
    }
    recheck()
    const close = (): void => {
      cancel?.()
      server?.close()
      this.#open.delete(close)
    }
    this.#open.add(close)
    return close
  }

  /** Closes all ports. */
  stop(): void {
    for (const close of this.#open) close()
  }
}
