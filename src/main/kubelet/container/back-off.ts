import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { KubeletSettings } from '../kubelet-settings.ts'
import type { Clock } from '../ports.ts'

/** The kubelet's two back-offs (containers#back-off), in milliseconds; `maxMs`: MaxContainerBackOff and MaxImageBackOff. */
export const backOffDefaults = {
  crashLoop: { initialMs: 10_000, maxMs: 300_000 },
  imagePull: { initialMs: 10_000, maxMs: 300_000 },
} as const

/** kubelet.go newCrashLoopBackOff: the first wait is never longer than the longest. */
export function crashLoopBackOff(
  settings: Pick<KubeletSettings, 'maxContainerRestartPeriodMs'> | undefined,
): Pick<BackOffDeps, 'initialMs' | 'maxMs'> {
  const { initialMs, maxMs } = backOffDefaults.crashLoop
  const longestMs = settings?.maxContainerRestartPeriodMs ?? maxMs
  return { initialMs: Math.min(initialMs, longestMs), maxMs: longestMs }
}

/** What a container's crash-loop back-off is keyed by: a change of any of these starts it over. */
export function backOffKey(pod: Pod, container: Container): string {
  const { name, namespace, uid } = pod.metadata
  return JSON.stringify([
    name,
    namespace,
    uid,
    container.name,
    container.image,
    container.resources ?? {},
  ])
}

interface BackOffDeps {
  readonly clock: Clock
  readonly initialMs: number
  readonly maxMs: number
}

interface BackOffEntry {
  backOffMs: number
  lastUpdate: number
}

/** The wait after the next event, if that comes before `expiresAt`; ms. */
export interface BackOffView {
  readonly waitMs: number
  readonly expiresAt: number
}

/**
 * client-go's flowcontrol.Backoff: doubles from the initial to the longest wait for each key. An entry
 * expires, that is starts over, when the event is more than twice the longest wait after its last update.
 */
export class BackOff {
  readonly #deps: BackOffDeps
  readonly #entries = new Map<string, BackOffEntry>()

  constructor(deps: BackOffDeps) {
    this.#deps = deps
  }

  /** The present wait of the key in ms; 0 for an unknown one. */
  get(key: string): number {
    return this.#entries.get(key)?.backOffMs ?? 0
  }

  /** Undefined for an unknown key. */
  view(key: string): BackOffView | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    return { waitMs: entry.backOffMs, expiresAt: entry.lastUpdate + 2 * this.#deps.maxMs }
  }

  /** Moves the key to its next wait. `eventTime` (ms) decides whether the entry has expired. */
  next(key: string, eventTime: number): void {
    const lastUpdate = this.#deps.clock.now()
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#hasExpired(eventTime, entry)) {
      this.#entries.set(key, { backOffMs: this.#deps.initialMs, lastUpdate })
      return
    }
    entry.backOffMs = Math.min(entry.backOffMs * 2, this.#deps.maxMs)
    entry.lastUpdate = lastUpdate
  }

  /** Whether less than the key's wait has passed since the event (ms), for example since a container ended. */
  isInBackOffSince(key: string, eventTime: number): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#hasExpired(eventTime, entry)) return false
    return this.#deps.clock.now() - eventTime < entry.backOffMs
  }

  /** Whether the event (ms) falls within the key's wait, counted from the last `next`. */
  isInBackOffSinceUpdate(key: string, eventTime: number): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#hasExpired(eventTime, entry)) return false
    return eventTime - entry.lastUpdate < entry.backOffMs
  }

  /** Forgets expired entries. */
  collectGarbage(): void {
    const now = this.#deps.clock.now()
    for (const [key, entry] of this.#entries) {
      if (this.#hasExpired(now, entry)) this.#entries.delete(key)
    }
  }

  /** Entries kept, for tests and views. */
  get size(): number {
    return this.#entries.size
  }

  #hasExpired(eventTime: number, entry: BackOffEntry): boolean {
    return eventTime - entry.lastUpdate > 2 * this.#deps.maxMs
  }
}
