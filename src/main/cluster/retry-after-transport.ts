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
  #isStopped = false

  constructor(deps: { readonly transport: Transport; readonly clock: Clock }) {
    this.#transport = deps.transport
    this.#clock = deps.clock
  }

  async send(request: KubeRequest): Promise<KubeResponse> {
    for (let retries = 0; ; retries++) {
      const response = await this.#transport.send(request)
      const seconds = retryAfter(response)
      if (seconds === undefined || retries === maxRetries) return response
      await this.#wait(seconds * 1000)
      if (this.#isStopped) return response
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
