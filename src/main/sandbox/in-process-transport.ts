import type {
  KubeRequest,
  KubeResponse,
  Transport,
  WatchEvent,
  WatchStream,
} from '../../shared/kubernetes/request.ts'
import type { Clock, Random } from '../kubelet/ports.ts'
import type { SandboxApiServer } from './api-server.ts'
import type { Caller } from './auth/caller.ts'

interface LatencyRange {
  readonly minMs: number
  readonly maxMs: number
}

/**
 * A watch event arrives before the answer to the write that caused it: the store notifies its watchers when it commits, while
 * the answer is still encoded and audited. Otherwise, a kubelet that replaces a mirror pod would often continue with the old one
 * and delete it a second time, which real kubelets are not observed to do.
 */
const latencies = {
  request: { minMs: 0.3, maxMs: 2 },
  watchEvent: { minMs: 0.3, maxMs: 0.9 },
  answer: { minMs: 1, maxMs: 2 },
} as const satisfies Record<string, LatencyRange>

/** Events in transit to a client that does not read. Further events wait in the server, which limits them itself. */
const maxInTransit = 1000

interface DelayedWatchDeps {
  readonly source: WatchStream
  readonly clock: Clock
  readonly latencyMs: () => number
}

/** A watch whose events arrive with a latency, in order. */
class DelayedWatch {
  readonly #deps: DelayedWatchDeps
  #arrived: WatchEvent[] = []
  #inTransit = 0
  #lastDue = 0
  #isEnded = false
  #isStopped = false
  #wakeReader: (() => void) | undefined
  #wakePump: (() => void) | undefined

  constructor(deps: DelayedWatchDeps) {
    this.#deps = deps
  }

  stream(): WatchStream {
    return {
      events: { [Symbol.asyncIterator]: () => this.#iterator() },
      stop: () => {
        this.#stop()
      },
    }
  }

  #stop(): void {
    this.#isStopped = true
    this.#deps.source.stop()
    this.#arrived = []
    this.#notifyReader()
    this.#notifyPump()
  }

  #notifyReader(): void {
    this.#wakeReader?.()
    this.#wakeReader = undefined
  }

  #notifyPump(): void {
    this.#wakePump?.()
    this.#wakePump = undefined
  }

  /** Calls back after this event's latency, but not before the events ahead of it. */
  #onArrival(arrive: () => void): void {
    const { clock, latencyMs } = this.#deps
    const now = clock.now()
    this.#lastDue = Math.max(this.#lastDue, now + latencyMs())
    clock.after(this.#lastDue - now, arrive)
  }

  async #pump(): Promise<void> {
    for await (const event of this.#deps.source.events) {
      this.#inTransit++
      this.#onArrival(() => {
        if (this.#isStopped) return
        this.#arrived.push(event)
        this.#notifyReader()
      })
      while (this.#inTransit >= maxInTransit && !this.#isStopped) {
        await new Promise<void>((resolve) => {
          this.#wakePump = resolve
        })
      }
    }
    // The end has a latency, too.
    this.#onArrival(() => {
      this.#isEnded = true
      this.#notifyReader()
    })
  }

  #iterator(): AsyncIterator<WatchEvent> {
    void this.#pump()
    const done = { done: true as const, value: undefined }
    return {
      next: async () => {
        for (;;) {
          if (this.#isStopped) return done
          const event = this.#arrived.shift()
          if (event !== undefined) {
            this.#inTransit--
            this.#notifyPump()
            return { done: false, value: event }
          }
          if (this.#isEnded) return done
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve
          })
        }
      },
      return: () => {
        this.#stop()
        return Promise.resolve(done)
      },
    }
  }
}

/**
 * The connection of one caller in this process to the sandbox's API server. Requests, answers and watch events take 0.3 to 2
 * virtual ms, drawn from the seed, so that races can occur. Requests can overtake each other; the events of a watch cannot, and
 * they arrive before the answer to the write that caused them. Causes are passed on unchanged.
 */
export function inProcessTransport(deps: {
  readonly server: Pick<SandboxApiServer, 'handle'>
  readonly clock: Clock
  readonly random: Random
  readonly caller: Caller
}): Transport {
  const { server, clock, random, caller } = deps
  const drawn = ({ minMs, maxMs }: LatencyRange): number => minMs + (maxMs - minMs) * random.next()
  const pause = (range: LatencyRange): Promise<void> =>
    new Promise((resolve) => {
      clock.after(drawn(range), resolve)
    })
  return {
    send: async (request: KubeRequest): Promise<KubeResponse> => {
      await pause(latencies.request)
      const response = await server.handle(request, caller)
      await pause(latencies.answer)
      if (response.kind !== 'watch') return response
      const latencyMs = (): number => drawn(latencies.watchEvent)
      const watch = new DelayedWatch({ source: response.stream, clock, latencyMs })
      return { ...response, stream: watch.stream() }
    },
  }
}
