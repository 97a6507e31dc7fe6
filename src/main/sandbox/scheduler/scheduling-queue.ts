import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { podEvents } from './cluster-event.ts'
import type { ClusterEvent } from './cluster-event.ts'
import { Nominator } from './nominator.ts'
import { podInfo } from './pod-info.ts'
import {
  defaultPreemptionName,
  isWorthRequeuing,
  pluginsToRetry,
  schedulingGatesName,
} from './queueing-hints.ts'
import { backOffEnd, backOffExpiration, byPriority, isBackingOff } from './queued-pod.ts'
import type { QueuedPod } from './queued-pod.ts'

interface QueueDeps {
  readonly clock: Clock
  /** True while victims of the pod are being deleted. */
  readonly isPreempting: (uid: string) => boolean
  /** A pod can be popped. */
  readonly onReady: () => void
}

// Source: scheduling_queue.go DefaultPodMaxInUnschedulablePodsDuration, and the period of its flush.
const maxUnschedulableMs = 5 * 60_000
const flushPeriodMs = 30_000

function insert(pods: QueuedPod[], pod: QueuedPod): void {
  let low = 0
  let high = pods.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = pods[middle]
    if (other !== undefined && byPriority(other, pod) > 0) low = middle + 1
    else high = middle
  }
  pods.splice(low, 0, pod)
}

/** Calls back once at the earliest time that was asked for. */
class Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #at = Infinity
  #cancel: () => void = () => undefined

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  by(time: number): void {
    if (time >= this.#at) return
    this.stop()
    this.#at = time
    this.#cancel = this.#clock.after(Math.max(0, time - this.#clock.now()), () => {
      this.#at = Infinity
      this.#ring()
    })
  }

  stop(): void {
    this.#cancel()
    this.#at = Infinity
  }
}

/**
 * The pending pods: active ones wait to be tried, others back off, and unschedulable ones wait for an event that may help them
 * (QueueingHints), at most 5 minutes. An idle scheduler tries pods that back off at once (SchedulerPopFromBackoffQ), except after
 * an error. Source: pkg/scheduler/backend/queue (v1.34).
 */
export class SchedulingQueue {
  readonly #deps: QueueDeps
  readonly nominator = new Nominator()
  /** The next one last. */
  readonly #active: QueuedPod[] = []
  readonly #isActive = new Map<string, QueuedPod>()
  readonly #backOff = new Map<string, QueuedPod>()
  /** After errors: these wait until the end. */
  readonly #errorBackOff = new Map<string, QueuedPod>()
  readonly #unschedulable = new Map<string, QueuedPod>()
  readonly #startedAt: number
  readonly #backOffAlarm: Alarm
  readonly #flushAlarm: Alarm
  #order = 0

  constructor(deps: QueueDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.now()
    this.#backOffAlarm = new Alarm(deps.clock, () => {
      this.#flushBackOff()
    })
    this.#flushAlarm = new Alarm(deps.clock, () => {
      this.#flushUnschedulable()
    })
  }

  stop(): void {
    this.#backOffAlarm.stop()
    this.#flushAlarm.stop()
  }

  add(pod: Pod, causes: TraceCauses): void {
    const queued: QueuedPod = {
      info: podInfo(pod),
      timestamp: this.#deps.clock.now(),
      order: this.#order++,
      unschedulableCount: 0,
      errorCount: 0,
      plugins: new Set(),
      gatingPlugin: undefined,
      causes,
    }
    if (this.#toActive(queued, causes)) this.nominator.nominate(queued.info, undefined)
  }

  /** A pod without a node changed. */
  update(before: Pod, after: Pod, causes: TraceCauses): void {
    const { uid } = after.metadata
    const info = podInfo(after)
    const waiting = this.#isActive.get(uid) ?? this.#backOff.get(uid) ?? this.#errorBackOff.get(uid)
    const queued = waiting ?? this.#unschedulable.get(uid)
    if (queued === undefined) {
      this.add(after, causes)
      return
    }
    queued.info = info
    this.nominator.update(podInfo(before), info)
    if (waiting === undefined)
      for (const event of podEvents(before, after)) this.#moveIfHelped(queued, event, causes)
  }

  delete(uid: string): void {
    this.nominator.delete(uid)
    const active = this.#isActive.get(uid)
    if (active !== undefined) this.#active.splice(this.#active.indexOf(active), 1)
    for (const pods of [this.#isActive, this.#backOff, this.#errorBackOff, this.#unschedulable])
      pods.delete(uid)
  }

  /** Something changed in the cluster: queues the pods that it may help. `isMeant`: which pods it can help at all. */
  move(
    event: ClusterEvent,
    causes: TraceCauses,
    isMeant: (pod: QueuedPod) => boolean = () => true,
  ): void {
    // A gated pod comes back into the map.
    const waiting = [...this.#unschedulable.values()]
    for (const queued of waiting) if (isMeant(queued)) this.#moveIfHelped(queued, event, causes)
  }

  /** Queues a pod at once, whatever it waits for. */
  activate(uid: string, causes: TraceCauses): void {
    const queued =
      this.#unschedulable.get(uid) ?? this.#backOff.get(uid) ?? this.#errorBackOff.get(uid)
    if (queued !== undefined) this.#toActive(queued, causes)
  }

  /** The next pod to try. */
  pop(): QueuedPod | undefined {
    const next = this.#active.pop() ?? this.#popBackOff()
    if (next === undefined) return undefined
    this.#isActive.delete(next.info.uid)
    next.gatingPlugin = undefined
    return next
  }

  #popBackOff(): QueuedPod | undefined {
    let first: QueuedPod | undefined
    for (const queued of this.#backOff.values())
      if (first === undefined || this.#isEarlier(queued, first)) first = queued
    if (first !== undefined) this.#backOff.delete(first.info.uid)
    return first
  }

  #isEarlier(a: QueuedPod, b: QueuedPod): boolean {
    return (backOffExpiration(a) - backOffExpiration(b) || byPriority(a, b)) < 0
  }

  /** A pod that was tried in vain. `plugins`: those that rejected it; none after an error. Source: AddUnschedulableIfNotPresent. */
  addUnschedulable(queued: QueuedPod, plugins: ReadonlySet<string>): void {
    queued.plugins = plugins
    queued.timestamp = this.#deps.clock.now()
    queued.order = this.#order++
    if (plugins.size === 0) queued.errorCount++
    else {
      queued.unschedulableCount++
      queued.errorCount = 0
    }
    // Nothing can have changed meanwhile: a cycle is one step.
    if (plugins.size === 0) this.#requeue(queued, queued.causes)
    else this.#keep(queued)
  }

  #keep(queued: QueuedPod): void {
    this.#unschedulable.set(queued.info.uid, queued)
    if (queued.gatingPlugin === undefined) this.#flushAlarm.by(this.#flushTime(queued))
  }

  /** The first flush after the pod has waited too long. */
  #flushTime({ timestamp }: QueuedPod): number {
    const waited = timestamp + maxUnschedulableMs - this.#startedAt
    return this.#startedAt + flushPeriodMs * (Math.floor(waited / flushPeriodMs) + 1)
  }

  #flushUnschedulable(): void {
    const now = this.#deps.clock.now()
    const waiting = [...this.#unschedulable.values()]
    for (const queued of waiting) {
      if (queued.gatingPlugin !== undefined) continue
      if (this.#flushTime(queued) > now) this.#flushAlarm.by(this.#flushTime(queued))
      else this.#moveIfHelped(queued, { kind: 'timeout' }, queued.causes)
    }
  }

  #flushBackOff(): void {
    const now = this.#deps.clock.now()
    for (const queued of [...this.#errorBackOff.values()].toSorted(byPriority)) {
      if (isBackingOff(queued, now)) this.#backOffAlarm.by(backOffEnd(queued))
      else this.#toActive(queued, queued.causes, { isGateChecked: true })
    }
  }

  #moveIfHelped(queued: QueuedPod, event: ClusterEvent, causes: TraceCauses): void {
    const { info, plugins, gatingPlugin } = queued
    if (!this.#unschedulable.has(info.uid)) return
    if (gatingPlugin !== undefined && !isGateEvent(gatingPlugin, queued, event)) return
    if (!isWorthRequeuing(info, plugins, event)) return
    this.#unschedulable.delete(info.uid)
    this.#requeue(queued, causes)
  }

  #requeue(queued: QueuedPod, causes: TraceCauses): void {
    if (!isBackingOff(queued, this.#deps.clock.now())) {
      this.#toActive(queued, causes)
      return
    }
    if (this.#isGated(queued)) return
    queued.causes = causes
    if (queued.plugins.size > 0) {
      this.#backOff.set(queued.info.uid, queued)
      this.#deps.onReady()
      return
    }
    this.#errorBackOff.set(queued.info.uid, queued)
    this.#backOffAlarm.by(backOffEnd(queued))
  }

  /** False if a plugin keeps it from being queued. */
  #toActive(
    queued: QueuedPod,
    causes: TraceCauses,
    { isGateChecked = false }: { readonly isGateChecked?: boolean } = {},
  ): boolean {
    const { uid } = queued.info
    if (!isGateChecked && this.#isGated(queued)) return false
    queued.causes = causes
    for (const pods of [this.#backOff, this.#errorBackOff, this.#unschedulable]) pods.delete(uid)
    if (!this.#isActive.has(uid)) {
      insert(this.#active, queued)
      this.#isActive.set(uid, queued)
    }
    this.#deps.onReady()
    return true
  }

  /** Runs PreEnqueue: a gated pod waits among the unschedulable ones. */
  #isGated(queued: QueuedPod): boolean {
    const { pod, uid } = queued.info
    const hasGates = (pod.spec.schedulingGates ?? []).length > 0
    const gatingPlugin = hasGates
      ? schedulingGatesName
      : this.#deps.isPreempting(uid)
        ? defaultPreemptionName
        : undefined
    queued.gatingPlugin = gatingPlugin
    if (gatingPlugin === undefined) return false
    queued.plugins = new Set([...queued.plugins, gatingPlugin])
    if (!this.#backOff.has(uid) && !this.#errorBackOff.has(uid)) this.#keep(queued)
    return true
  }
}

/** The events that a gated pod hears of at all. */
function isGateEvent(gatingPlugin: string, { info }: QueuedPod, event: ClusterEvent): boolean {
  if (gatingPlugin === defaultPreemptionName)
    return event.kind === 'pod' && event.action === 'Delete'
  return pluginsToRetry(info, new Set([gatingPlugin]), event).length > 0
}
