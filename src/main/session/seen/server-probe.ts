import type { CancelTimer, Clock } from '../../kubelet/ports.ts'

const probeMs = 10_000

interface ServerProbeDeps {
  readonly clock: Pick<Clock, 'after'>
  /** Whether the server has answered no call for a time. */
  readonly isUnanswered: () => boolean
  /** One small request; it must not throw. */
  readonly ask: () => Promise<unknown>
}

/**
 * Asks a server that answers no call again, every 10 s after its last try: an open watch without events does not tell that it
 * is back before its watchdog does. Asks nothing of a server that answers.
 */
export class ServerProbe {
  readonly #deps: ServerProbeDeps
  #cancel: CancelTimer | undefined
  /** Requests under way. */
  #asking = 0
  #isStopped = false

  constructor(deps: ServerProbeDeps) {
    this.#deps = deps
  }

  /** The connection has changed. */
  readonly check = (): void => {
    const { clock, isUnanswered } = this.#deps
    if (this.#isStopped || this.#asking > 0 || !isUnanswered()) return
    this.#cancel ??= clock.after(probeMs, this.askNow)
  }

  /** Also while an earlier request waits: on a half-open connection that gets no answer, even from a server that is back. */
  readonly askNow = (): void => {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#isStopped || !this.#deps.isUnanswered()) return
    this.#asking++
    void this.#deps.ask().finally(() => {
      this.#asking--
      this.check()
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }
}
