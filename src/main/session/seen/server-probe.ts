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
  #isAsking = false
  #isStopped = false

  constructor(deps: ServerProbeDeps) {
    this.#deps = deps
  }

  /** The connection has changed. */
  readonly check = (): void => {
    const { clock, isUnanswered } = this.#deps
    if (this.#isStopped || this.#isAsking || !isUnanswered()) return
    this.#cancel ??= clock.after(probeMs, this.askNow)
  }

  readonly askNow = (): void => {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#isStopped || this.#isAsking || !this.#deps.isUnanswered()) return
    this.#isAsking = true
    void this.#deps.ask().finally(() => {
      this.#isAsking = false
      this.check()
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }
}
