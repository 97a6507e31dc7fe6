import type { Transport } from '../../shared/kubernetes/request.ts'
import type { Clock } from '../kubelet/ports.ts'
import { TokenBucket } from '../kubelet/container/token-bucket.ts'

/** Requests: `burst` at once, then `qps` a second. */
export interface RequestLimits {
  readonly qps: number
  readonly burst: number
}

/** A transport whose requests wait, in order, for the rate limiter of a client-go client. Source: rest/request.go tryThrottle (v1.34). */
export function limitedTransport(
  transport: Transport,
  { clock, ...limits }: RequestLimits & { readonly clock: Clock },
): Transport {
  const bucket = new TokenBucket({ clock, ...limits })
  return {
    send: async (request) => {
      const waitMs = bucket.reserve()
      if (waitMs > 0) {
        await new Promise<void>((resolve) => {
          clock.after(waitMs, resolve)
        })
      }
      return await transport.send(request)
    },
  }
}
