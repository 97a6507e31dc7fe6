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

/** Range of each way's time in ms. */
interface Way {
  readonly shortestMs: number
  readonly longestMs: number
}

/**
 * The store tells its watchers as it commits, while the answer to the write is still to be encoded and audited: who
 * writes hears of it from its watch first. A kubelet that replaces a mirror pod would otherwise, every other time,
 * go on with the old one and ask for its deletion once more, which is not what a real one is seen to do.
 */
const ways = {
  request: { shortestMs: 0.3, longestMs: 2 },
  watchEvent: { shortestMs: 0.3, longestMs: 0.9 },
  answer: { shortestMs: 1, longestMs: 2 },
} as const satisfies Record<string, Way>

/** Events under way to a client that does not read; more stay with the server, which bounds them itself. */
const eventsUnderWay = 1000

/** The way of a watch's events to its client: each takes its time, none overtakes another. */
class DelayedWatch {
  readonly #source: WatchStream
  readonly #clock: Clock
  readonly #latencyMs: () => number
  #arrived: WatchEvent[] = []
  #underWay = 0
  #lastDue = 0
  #isEnded = false
  #isStopped = false
  #wakeReader: (() => void) | undefined
  #wakePump: (() => void) | undefined

  constructor(
    source: WatchStream,
    deps: { readonly clock: Clock; readonly latencyMs: () => number },
  ) {
    this.#source = source
    this.#clock = deps.clock
    this.#latencyMs = deps.latencyMs
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
    this.#source.stop()
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
    const now = this.#clock.now()
    this.#lastDue = Math.max(this.#lastDue, now + this.#latencyMs())
    this.#clock.after(this.#lastDue - now, arrive)
  }

  async #pump(): Promise<void> {
    for await (const event of this.#source.events) {
      this.#underWay++
      this.#onArrival(() => {
        if (this.#isStopped) return
        this.#arrived.push(event)
        this.#notifyReader()
      })
      while (this.#underWay >= eventsUnderWay && !this.#isStopped) {
        await new Promise<void>((resolve) => {
          this.#wakePump = resolve
        })
      }
    }
    // The end takes its way like everything else.
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
            this.#underWay--
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
 * The sandbox's API server as one caller reaches it in the same process: every request and every
 * watch event takes 0.3 to 2 virtual ms each way, drawn from the seed, so that races show. Requests
 * may overtake each other; the events of a watch do not, and they come before the answer to what caused
 * them. Causes pass unchanged.
 */
export function inProcessTransport(deps: {
  readonly server: Pick<SandboxApiServer, 'handle'>
  readonly clock: Clock
  readonly random: Random
  readonly caller: Caller
}): Transport {
  const { server, clock, random, caller } = deps
  const drawn = ({ shortestMs, longestMs }: Way): number =>
    shortestMs + (longestMs - shortestMs) * random.next()
  const pause = (way: Way): Promise<void> =>
    new Promise((resolve) => {
      clock.after(drawn(way), resolve)
    })
  return {
    send: async (request: KubeRequest): Promise<KubeResponse> => {
      await pause(ways.request)
      const response = await server.handle(request, caller)
      await pause(ways.answer)
      if (response.kind !== 'watch') return response
      const watch = new DelayedWatch(response.stream, {
        clock,
        latencyMs: () => drawn(ways.watchEvent),
      })
      return { ...response, stream: watch.stream() }
    },
  }
}
