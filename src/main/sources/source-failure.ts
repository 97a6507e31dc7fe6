import type { PodSource } from '../../shared/model/pod-source.ts'
import type { Clock, Log, Trace } from '../kubelet/ports.ts'

interface SourceFailureDeps {
  readonly source: PodSource
  /** For the log: the folder, the URL or the server. */
  readonly where: string
  readonly clock: Clock
  readonly trace: Trace
  readonly log: Log
}

/** Why a source cannot be read now. Traces the first failure, each new reason, and the recovery. */
export class SourceFailure {
  readonly #deps: SourceFailureDeps
  #current: { readonly message: string; readonly since: number } | undefined

  constructor(deps: SourceFailureDeps) {
    this.#deps = deps
  }

  /** One sentence; undefined while the source can be read. */
  get message(): string | undefined {
    return this.#current?.message
  }

  /** `since`: the start of the failure, if it is in the past. */
  fail(message: string, since = this.#deps.clock.now()): void {
    if (this.#current?.message === message) return
    const { source, where, trace, log } = this.#deps
    this.#current = { message, since: this.#current?.since ?? since }
    log.warn('a source cannot be read', { where, message })
    const subject = { kind: 'source', source } as const
    trace.emit({ kind: 'source.failed', subject, causes: [], data: { message } })
  }

  recovered(): void {
    if (this.#current === undefined) return
    const { source, clock, trace } = this.#deps
    const awayMs = clock.now() - this.#current.since
    this.#current = undefined
    const subject = { kind: 'source', source } as const
    trace.emit({ kind: 'source.recovered', subject, causes: [], data: { awayMs } })
  }
}
