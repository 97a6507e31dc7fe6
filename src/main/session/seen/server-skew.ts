import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { Clock } from '../../kubelet/ports.ts'

/** A Date header is cut to seconds. */
const halfSecondMs = 500

/** Less than this may be the precision of the header and the time that an answer takes. */
const leastMs = 2000

/** How far the server's clock is ahead of ours, ms, from the Date of its answers; null before the first. */
export class ServerSkew {
  readonly #clock: Pick<Clock, 'now'>
  #skewMs: number | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  get skewMs(): number | null {
    return this.#skewMs
  }

  /** 0 unless it is more than what may be an error of the measurement. */
  get certainMs(): number {
    const ms = this.#skewMs ?? 0
    return Math.abs(ms) < leastMs ? 0 : Math.round(ms / 1000) * 1000
  }

  /** The transport, with the time of each answer observed. */
  observe(transport: Transport): Transport {
    return {
      send: async (request) => {
        const sentAt = this.#clock.now()
        const response = await transport.send(request)
        const date = response.kind === 'watch' ? undefined : response.headers?.['date']
        const serverTime = Date.parse(date ?? '')
        if (!Number.isNaN(serverTime))
          this.#skewMs = serverTime + halfSecondMs - (sentAt + this.#clock.now()) / 2
        return response
      },
    }
  }
}
