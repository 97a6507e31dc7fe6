import type { CancelTimer, Clock } from '../../kubelet/ports.ts'
import type { ServerReachability } from '../cluster/server-reachability.ts'

/** Between two questions to a server that does not answer. */
const probeMs = 10_000
/** Kubelets renew their leases each 10 s and up to 4 % more: the watch of the leases is heard more often. */
const quietMs = 11_000
/** Between two questions to a server that answers. */
const answersMs = 30_000

interface ServerProbeDeps {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly server: Pick<ServerReachability, 'isUnanswered' | 'isWatched' | 'heardAt' | 'unheard'>
  /** One small request with a short limit; rejects with a `TransportError` if there is no answer. */
  readonly ask: () => Promise<unknown>
}

/**
 * Asks a server of which nothing was heard for 11 s whether it answers, each 30 s at most: an open watch without events does
 * not tell that before its watchdog does. A server that does not answer is asked again every 10 s after the last try.
 */
export class ServerProbe {
  readonly #deps: ServerProbeDeps
  #timer: { readonly isForUnanswered: boolean; readonly cancel: CancelTimer } | undefined
  /** Requests under way. */
  #asking = 0
  #askedAt = -Infinity
  #isStopped = false

  constructor(deps: ServerProbeDeps) {
    this.#deps = deps
  }

  /** The connection has changed. */
  readonly check = (): void => {
    const { clock, server } = this.#deps
    const isForUnanswered = server.isUnanswered
    if (this.#timer?.isForUnanswered === !isForUnanswered) this.#cancel()
    if (this.#isStopped || this.#asking > 0 || this.#timer !== undefined) return
    if (!isForUnanswered && !server.isWatched) return
    const inMs = isForUnanswered ? probeMs : this.#quietAt() - clock.now()
    const cancel = clock.after(Math.max(0, inMs), () => {
      this.#timer = undefined
      if (server.isUnanswered || this.#quietAt() <= clock.now()) this.#ask()
      else this.check()
    })
    this.#timer = { isForUnanswered, cancel }
  }

  /** Also while an earlier request waits: on a half-open connection that gets no answer, even from a server that is back. */
  readonly askNow = (): void => {
    if (this.#deps.server.isUnanswered) this.#ask()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  /** When it is asked, if nothing is heard before. */
  #quietAt(): number {
    return Math.max(this.#deps.server.heardAt + quietMs, this.#askedAt + answersMs)
  }

  #ask(): void {
    this.#cancel()
    if (this.#isStopped) return
    const { clock, server, ask } = this.#deps
    const sentAt = clock.now()
    this.#askedAt = sentAt
    this.#asking++
    void ask()
      .catch((error: unknown) => {
        if (!this.#isStopped) server.unheard(error, sentAt)
      })
      .finally(() => {
        this.#asking--
        this.check()
      })
  }

  #cancel(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
