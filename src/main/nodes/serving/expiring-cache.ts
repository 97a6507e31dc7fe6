import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'

interface Entry<T> {
  readonly value: T
  readonly expiresAt: number
}

/** As many as a kubelet keeps (apiserver plugin/pkg/authorizer/webhook: the size of its caches). */
const defaultMaxEntries = 8192

/** Keeps answers for a time. Calls with the same key at the same time share one question; errors are not kept. */
export class ExpiringCache<T> {
  readonly #clock: Pick<Clock, 'now'>
  readonly #ttlMs: (value: T) => number
  readonly #maxEntries: number
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  readonly #asked = new Map<string, Promise<Result<T, string>>>()

  constructor(deps: {
    readonly clock: Pick<Clock, 'now'>
    readonly ttlMs: (value: T) => number
    readonly maxEntries?: number
  }) {
    this.#clock = deps.clock
    this.#ttlMs = deps.ttlMs
    this.#maxEntries = deps.maxEntries ?? defaultMaxEntries
  }

  get(key: string, ask: () => Promise<Result<T, string>>): Promise<Result<T, string>> {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    if (entry !== undefined && entry.expiresAt > this.#clock.now()) {
      this.#entries.set(key, entry)
      return Promise.resolve({ ok: true, value: entry.value })
    }
    const asked = this.#asked.get(key) ?? this.#ask(key, ask)
    this.#asked.set(key, asked)
    return asked
  }

  async #ask(key: string, ask: () => Promise<Result<T, string>>): Promise<Result<T, string>> {
    try {
      const answer = await ask()
      if (answer.ok) this.#keep(key, answer.value)
      return answer
    } finally {
      this.#asked.delete(key)
    }
  }

  #keep(key: string, value: T): void {
    this.#entries.set(key, { value, expiresAt: this.#clock.now() + this.#ttlMs(value) })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
  }
}
