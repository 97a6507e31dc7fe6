import type { KubeRequest, KubeResponse, Transport } from '../../shared/kubernetes/request.ts'
import type { Clock } from '../kubelet/ports.ts'
import { retryAfterHeader } from './api-errors.ts'

// client-go rest/request.go: maxRetries.
const maxRetries = 10

/**
 * Sends again what a server answered with 429 or 5xx and a Retry-After in seconds, when they have passed, at most
 * ten times, whatever the method: the server says by that header that it has not begun (client-go
 * rest/with_retry.go). For a kubelet's own calls; what a person asked for is answered at once.
 */
export class RetryAfterTransport implements Transport {
  readonly #transport: Transport
  readonly #clock: Clock
  readonly #waits = new Set<() => void>()
  readonly #limitMs: number
  #isStopped = false

  /** `limitMs`: how long a call may take with its waits; what would last longer is answered with the refusal. Default: no limit. */
  constructor(deps: {
    readonly transport: Transport
    readonly clock: Clock
    readonly limitMs?: number
  }) {
    this.#transport = deps.transport
    this.#clock = deps.clock
    this.#limitMs = deps.limitMs ?? Number.POSITIVE_INFINITY
  }

  async send(request: KubeRequest): Promise<KubeResponse> {
    const until = this.#clock.now() + this.#limitMs
    for (let retries = 0; ; retries++) {
      const response = await this.#transport.send(request)
      const seconds = retryAfter(response)
      if (seconds === undefined || retries === maxRetries) return response
      const left = until - this.#clock.now()
      await this.#wait(Math.min(seconds * 1000, left))
      if (this.#isStopped || left < seconds * 1000) return response
    }
  }

  /** What waits is answered with the refusal that it waits for; nothing is sent again. */
  stop(): void {
    this.#isStopped = true
    for (const end of this.#waits) end()
  }

  async #wait(ms: number): Promise<void> {
    if (this.#isStopped) return
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel()
        this.#waits.delete(end)
        resolve()
      }
      const cancel = this.#clock.after(ms, end)
      this.#waits.add(end)
    })
  }
}

function retryAfter(response: KubeResponse): number | undefined {
  if (response.kind === 'watch') return undefined
  if (response.status !== 429 && response.status < 500) return undefined
  return retryAfterHeader(response.headers)
}
