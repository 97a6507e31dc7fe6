import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Histogram, MetricFamily } from './metric-family.ts'

/** Times in ms; undefined: not yet. */
interface Startup {
  firstPullAt: number | undefined
  lastPulledAt: number | undefined
  /** A status with all containers running was written. */
  isReported: boolean
  /** When the source first had that status. */
  seenRunningAt: number | undefined
}

/** What it fills; without label values. */
interface StartDurations {
  readonly podStartSliDuration: MetricFamily<Histogram>
  readonly podStartTotalDuration: MetricFamily<Histogram>
}

function isRunning({ status }: Pod): boolean {
  const { containerStatuses = [] } = status ?? {}
  return containerStatuses.length > 0 && containerStatuses.every(({ state }) => state?.running)
}

/**
 * Measures how long pods from the API server take from their creation until the kubelet gets its own report of their running
 * containers back (pkg/kubelet/util/pod_startup_latency_tracker.go). The answer to the write may come after that; a kubelet then
 * waits for the next change of any pod.
 */
export class PodStartupLatency {
  readonly #now: () => number
  readonly #metrics: StartDurations
  readonly #pods = new Map<string, Startup | 'recorded'>()

  /** `now`: ms since the epoch. */
  constructor(deps: { readonly now: () => number; readonly metrics: StartDurations }) {
    this.#now = deps.now
    this.#metrics = deps.metrics
  }

  /** A source has the pod; not for static pods. */
  readonly observedOnWatch = (pod: Pod): void => {
    const { uid } = pod.metadata
    const { phase, startTime } = pod.status ?? {}
    const startup = this.#pods.get(uid)
    if (phase === 'Succeeded' || phase === 'Failed') this.#pods.delete(uid)
    else if (startup === undefined) {
      // One that a kubelet has taken before is not measured.
      if (startTime === undefined) this.#pods.set(uid, newStartup())
    } else if (startup !== 'recorded' && isRunning(pod)) {
      startup.seenRunningAt ??= this.#now()
      this.#record(pod, startup)
    }
  }

  readonly startedPulling = (uid: string): void => {
    const startup = this.#measured(uid)
    if (startup !== undefined) startup.firstPullAt ??= this.#now()
  }

  readonly finishedPulling = (uid: string): void => {
    const startup = this.#measured(uid)
    if (startup !== undefined) startup.lastPulledAt = this.#now()
  }

  /** `pod`: as the API server answered. */
  readonly statusUpdated = (pod: Pod): void => {
    const startup = this.#measured(pod.metadata.uid)
    if (startup === undefined || !isRunning(pod)) return
    startup.isReported = true
    this.#record(pod, startup)
  }

  readonly forget = (uid: string): void => {
    this.#pods.delete(uid)
  }

  #measured(uid: string): Startup | undefined {
    const startup = this.#pods.get(uid)
    return startup === 'recorded' ? undefined : startup
  }

  #record(pod: Pod, startup: Startup): void {
    const { seenRunningAt, isReported, lastPulledAt = 0, firstPullAt = 0 } = startup
    const createdAt = fromTimestamp(pod.metadata.creationTimestamp)
    if (!isReported || seenRunningAt === undefined || createdAt === undefined) return
    const totalMs = seenRunningAt - createdAt
    const pullMs = lastPulledAt - firstPullAt
    this.#metrics.podStartSliDuration.with().observe((totalMs - pullMs) / 1000)
    this.#metrics.podStartTotalDuration.with().observe(totalMs / 1000)
    this.#pods.set(pod.metadata.uid, 'recorded')
  }
}

function newStartup(): Startup {
  return {
    firstPullAt: undefined,
    lastPulledAt: undefined,
    isReported: false,
    seenRunningAt: undefined,
  }
}
