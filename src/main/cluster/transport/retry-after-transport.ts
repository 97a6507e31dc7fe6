import type { KubeRequest, KubeResponse, Transport } from '../../../shared/kubernetes/request.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { retryAfterHeader } from '../client/api-errors.ts'

// client-go rest/request.go: maxRetries.
const maxRetries = 10

interface RetryAfterDeps {
  readonly transport: Transport
  readonly clock: Clock
  /** Time for one call with its waits; a longer wait returns the refusal. Default: no limit. */
  readonly limitMs?: number
}

/**
 * Retries a request after a 429 or 5xx with a Retry-After in seconds, at most ten times, for every method: the header means
 * that the server has not processed the request (client-go rest/with_retry.go). For the kubelet's own calls; requests of a
 * user return at once.
 */
export class RetryAfterTransport implements Transport {
  readonly #deps: RetryAfterDeps
  readonly #waits = new Set<() => void>()
  #isStopped = false

  constructor(deps: RetryAfterDeps) {
    this.#deps = deps
  }

  async send(request: KubeRequest): Promise<KubeResponse> {
    const { transport, clock, limitMs = Number.POSITIVE_INFINITY } = this.#deps
    const until = clock.now() + limitMs
    for (let retries = 0; ; retries++) {
      const response = await transport.send(request)
      const seconds = retryAfter(response)
      if (seconds === undefined || retries === maxRetries) return response
      const left = until - clock.now()
      await this.#wait(Math.min(seconds * 1000, left))
      if (this.#isStopped || left < seconds * 1000) return response
    }
  }

  /** Waiting requests return their last response; no request is retried. */
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
      const cancel = this.#deps.clock.after(ms, end)
      this.#waits.add(end)
    })
  }
}

function retryAfter(response: KubeResponse): number | undefined {
  if (response.kind === 'watch') return undefined
  if (response.status !== 429 && response.status < 500) return undefined
  return retryAfterHeader(response.headers)
}
