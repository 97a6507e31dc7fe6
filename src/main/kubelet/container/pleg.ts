import { traceAbout } from '../pod/identity.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { CorePorts } from '../ports.ts'
import type { CancelTimer } from '../ports.ts'
import { formatDuration } from '../../../shared/go/duration.ts'
import type {
  PlegEventType,
  PodLifecycleEvent,
  PodRuntimeStatus,
  Runtime,
  RuntimePod,
  WritablePodCache,
} from './runtime.ts'

/** Generic PLEG's periods in ms (containers#pleg). */
const plegDefaults = { relistPeriodMs: 1000, relistThresholdMs: 180_000 } as const

/** A container's or sandbox's state, as far as the PLEG tells states apart. Created counts as unknown. */
type PlegState = 'running' | 'exited' | 'unknown' | 'non-existent'

type Change = Pick<PodLifecycleEvent, 'type' | 'containerId'>

interface GenericPlegDeps extends CorePorts {
  readonly runtime: Pick<Runtime, 'getPods' | 'getPodStatus'>
  readonly cache: WritablePodCache
  /** Trace events by which a container or sandbox last changed, where the runtime shares the trace. */
  readonly causesOf?: (containerId: string) => TraceCauses
}

/**
 * The pod lifecycle event generator: lists the runtime's pods every second, compares with the last
 * list, inspects the pods that changed, fills the cache, then sends the events. A pod whose inspection
 * failed keeps its old record, so that the change is found again. Source: kubelet pkg/kubelet/pleg/generic.go.
 */
export class GenericPleg {
  readonly #deps: GenericPlegDeps
  /** Each pod as it was when its last event was sent. */
  readonly #records = new Map<string, RuntimePod>()
  #reinspect = new Set<string>()
  /** Inspected at the next relist, and then reported (SetPodWatchCondition with a condition that always holds). */
  readonly #watched = new Set<string>()
  /** The listing that was last compared; the same again holds nothing new. */
  #listed: readonly RuntimePod[] | undefined
  #relistedAt: number | undefined
  #relisting: Promise<void> = Promise.resolve()
  #onEvent: (event: PodLifecycleEvent) => void = () => undefined
  #cancelTimer: CancelTimer | undefined
  #isRunning = false

  constructor(deps: GenericPlegDeps) {
    this.#deps = deps
  }

  /** Relists at once, then one period after each relist has finished. `onEvent` is called in order, on the relist; it must not block. Running already: nothing. */
  start(onEvent: (event: PodLifecycleEvent) => void): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#onEvent = onEvent
    void this.#relistAndGoOn()
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /** How often it lists, and when it last did; null before the first list. */
  view(): { readonly relistPeriodMs: number; readonly lastRelistAt: number | null } {
    return {
      relistPeriodMs: plegDefaults.relistPeriodMs,
      lastRelistAt: this.#relistedAt ?? null,
    }
  }

  /** Why the PLEG counts as unhealthy, as the node's Ready condition says it; undefined while it is well. */
  healthError(): string | undefined {
    if (this.#relistedAt === undefined) {
      return 'PLEG is not healthy: pleg has yet to be successful'
    }
    const elapsed = this.#deps.clock.now() - this.#relistedAt
    if (elapsed <= plegDefaults.relistThresholdMs) return undefined
    const threshold = formatDuration(plegDefaults.relistThresholdMs)
    return `PLEG is not healthy: pleg was last seen active ${formatDuration(elapsed)} ago; threshold is ${threshold}`
  }

  /** Has the pod inspected at the next relist, and reported as ConditionMet. */
  inspect(uid: string): void {
    this.#watched.add(uid)
  }

  /** One relist; calls queue behind each other. */
  relist(): Promise<void> {
    const next = this.#relisting.then(() => this.#relistTimed())
    this.#relisting = next.catch((error: unknown) => {
      this.#deps.log.error('relist failed', { error })
    })
    return next
  }

  async #relistAndGoOn(): Promise<void> {
    await this.relist().catch(() => undefined)
    if (!this.#isRunning) return
    this.#cancelTimer = this.#deps.clock.after(plegDefaults.relistPeriodMs, () => {
      void this.#relistAndGoOn()
    })
  }

  async #relistTimed(): Promise<void> {
    const { clock, metrics } = this.#deps
    const startedAt = clock.now()
    try {
      await this.#relistOnce()
    } finally {
      metrics?.plegRelistDuration.with().observe((clock.now() - startedAt) / 1000)
    }
  }

  async #relistOnce(): Promise<void> {
    const { runtime, cache, clock, log, metrics } = this.#deps
    const timestamp = clock.now()
    if (this.#relistedAt !== undefined)
      metrics?.plegRelistInterval.with().observe((timestamp - this.#relistedAt) / 1000)
    const pods = await runtime.getPods(true)
    if (!pods.ok) {
      log.error('pods cannot be listed', { error: pods.error.message })
      return
    }
    this.#relistedAt = timestamp
    metrics?.plegLastSeen.with().set(Math.trunc(timestamp / 1000))
    const isDue = this.#reinspect.size > 0 || this.#watched.size > 0
    if (pods.value !== this.#listed || isDue) await this.#compare(pods.value)
    // Only now is everything in the cache at least as new as this relist.
    cache.updateTime(timestamp)
  }

  async #compare(pods: readonly RuntimePod[]): Promise<void> {
    const present = new Map<string, RuntimePod>()
    for (const pod of pods) present.set(pod.uid, pod)
    for (const uid of this.#watched) if (!present.has(uid)) this.#watched.delete(uid)
    const reinspect = new Set<string>()
    const added = pods.filter(({ uid }) => !this.#records.has(uid)).map(({ uid }) => uid)
    const changed: string[] = []
    for (const [uid, record] of this.#records) {
      const pod = present.get(uid)
      const isDue = this.#reinspect.has(uid) || this.#watched.has(uid)
      if (pod === undefined || !isUnchanged(record, pod) || isDue) changed.push(uid)
      // The same states; the older objects are not kept.
      else if (pod !== record) this.#records.set(uid, pod)
    }
    for (const uid of [...changed, ...added]) {
      const isDone = await this.#relistPod(uid, present.get(uid))
      if (!isDone) reinspect.add(uid)
    }
    this.#reinspect = reinspect
    this.#listed = pods
    this.#countRunning(pods)
  }

  /** States that no container has any more keep their last count, as in the kubelet. */
  #countRunning(pods: readonly RuntimePod[]): void {
    const { metrics } = this.#deps
    if (metrics === undefined) return
    const states = new Map<string, number>()
    for (const { containers } of pods)
      for (const { state } of containers) states.set(state, (states.get(state) ?? 0) + 1)
    for (const [state, count] of states) metrics.runningContainers.with(state).set(count)
    const isRunning = ({ sandboxes }: RuntimePod): boolean =>
      sandboxes.some(({ state }) => state === 'ready')
    metrics.runningPods.with().set(pods.filter(isRunning).length)
  }

  /** False when the pod could not be inspected. */
  async #relistPod(uid: string, pod: RuntimePod | undefined): Promise<boolean> {
    const old = this.#records.get(uid)
    const changes = changesBetween(statesOf(old), statesOf(pod))
    const isWatched = this.#watched.has(uid)
    if (changes.length === 0 && !isWatched && !this.#reinspect.has(uid)) return true
    // Asked for while it is inspected: once more at the next relist.
    this.#watched.delete(uid)
    if (!(await this.#updateCache(uid, pod))) {
      if (isWatched) this.#watched.add(uid)
      return false
    }
    if (pod === undefined) this.#records.delete(uid)
    else this.#records.set(uid, pod)
    const subject = pod ?? old
    if (subject === undefined) return true
    for (const change of changes) this.#send(subject, change)
    if (isWatched) this.#send(subject, { type: 'ConditionMet', containerId: '' })
    return true
  }

  async #updateCache(uid: string, pod: RuntimePod | undefined): Promise<boolean> {
    const { runtime, cache, clock, log } = this.#deps
    if (pod === undefined) {
      cache.delete(uid)
      return true
    }
    const timestamp = clock.now()
    const status = await runtime.getPodStatus(uid, pod.name, pod.namespace)
    if (!status.ok) {
      log.error('pod cannot be inspected', { podUid: uid, error: status.error.message })
      cache.set(uid, status, timestamp)
      return false
    }
    const ips = this.#ipsOf(status.value)
    cache.set(uid, { ok: true, value: { ...status.value, ips } }, timestamp)
    return true
  }

  /** A pod without a sandbox keeps the IP that it had. */
  #ipsOf(status: PodRuntimeStatus): readonly string[] {
    if (status.ips.length > 0) return status.ips
    if (status.sandboxes.some((sandbox) => sandbox.state === 'ready')) return status.ips
    const old = this.#deps.cache.get(status.uid)
    return old.ok ? old.value.ips : status.ips
  }

  #send(record: RuntimePod, change: Change): void {
    // "Changed" is not reliable, and the sync loop ignores it.
    if (change.type === 'ContainerChanged') return
    const { uid, name, namespace } = record
    const seq = traceAbout(
      this.#deps.trace,
      { kind: 'pod', uid, namespace, name },
      'pleg.event',
      this.#deps.causesOf?.(change.containerId) ?? [],
      change,
    )
    this.#onEvent({ uid, ...change, causes: [seq] })
  }
}

function plegStateOf(state: RuntimePod['containers'][number]['state']): PlegState {
  switch (state) {
    case 'running':
      return 'running'
    case 'exited':
      return 'exited'
    case 'created':
    case 'unknown':
      return 'unknown'
    default:
      return assertNever(state, 'container state')
  }
}

function sandboxStateOf(sandbox: RuntimePod['sandboxes'][number]): PlegState {
  return sandbox.state === 'ready' ? 'running' : 'exited'
}

/** Finds most pods unchanged without building anything. */
function isUnchanged(old: RuntimePod, pod: RuntimePod): boolean {
  if (old === pod) return true
  return (
    areAllSame(old.containers, pod.containers, ({ state }) => plegStateOf(state)) &&
    areAllSame(old.sandboxes, pod.sandboxes, sandboxStateOf)
  )
}

function areAllSame<T extends { readonly id: string }>(
  old: readonly T[],
  current: readonly T[],
  stateOf: (item: T) => PlegState,
): boolean {
  if (old.length !== current.length) return false
  return current.every((item) =>
    old.some((before) => before.id === item.id && stateOf(before) === stateOf(item)),
  )
}

function statesOf(pod: RuntimePod | undefined): ReadonlyMap<string, PlegState> {
  const { containers = [], sandboxes = [] } = pod ?? {}
  return new Map([
    ...containers.map(({ id, state }) => [id, plegStateOf(state)] as const),
    ...sandboxes.map((sandbox) => [sandbox.id, sandboxStateOf(sandbox)] as const),
  ])
}

function changesBetween(
  old: ReadonlyMap<string, PlegState>,
  current: ReadonlyMap<string, PlegState>,
): readonly Change[] {
  const ids = new Set([...old.keys(), ...current.keys()])
  return [...ids].flatMap((containerId) =>
    changeTypes(
      old.get(containerId) ?? 'non-existent',
      current.get(containerId) ?? 'non-existent',
    ).map((type) => ({ type, containerId })),
  )
}

function changeTypes(old: PlegState, current: PlegState): readonly PlegEventType[] {
  if (old === current) return []
  switch (current) {
    case 'running':
      return ['ContainerStarted']
    case 'exited':
      return ['ContainerDied']
    case 'unknown':
      return ['ContainerChanged']
    case 'non-existent':
      // A death that was reported already is not reported again.
      return old === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved']
    default:
      return assertNever(current, 'container state')
  }
}
