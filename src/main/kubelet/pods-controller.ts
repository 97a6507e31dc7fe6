/** The sync loop (kubelet syncLoop, syncLoopIteration; seed: PodsController; sync-loop#inputs). */
import { assertNever } from '../../shared/assert-never.ts'
import type { Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import type { ProbeType, TraceCauses, TraceSubject } from '../../shared/model/trace-event.ts'
import type { MergedPod, PodUpdate } from './config/pod-config.ts'
import type { SourcesReady } from './config/sources-ready.ts'
import { deferred, sleep } from './container/deferred.ts'
import type { PodLifecycleEvent } from './container/runtime.ts'
import { isMirrorPod, podNamespace, podSubject, traceAbout } from './pod/identity.ts'
import type { PodManager } from './pod/pod-manager.ts'
import type { CancelTimer, CorePorts, Random } from './ports.ts'
import type { ProbeUpdate } from './prober/results-manager.ts'
import type { StatusManagerApi } from './status/status-manager-api.ts'
import type { SyncHandler } from './sync-handler.ts'
import type { PodStateProvider } from './workers/pod-workers.ts'
import type { DueWork } from './workers/work-queue.ts'

/** The loop's periods in ms. */
const syncLoopDefaults = {
  healthLimitMs: 120_000,
  syncPeriodMs: 1000,
  housekeepingPeriodMs: 2000,
  /** How long the loop sleeps while the runtime is down: doubling from base to max. */
  runtimeBackOffMs: { base: 100, max: 5000 },
} as const

const probeTypes: readonly ProbeType[] = ['liveness', 'readiness', 'startup']

/** At most so many names in one trace event of the loop. */
const maxNames = 5

/**
 * What runs the pods, as the loop sees it (seed: PodProvider): the container runtime and who watches it. Between
 * `start` and `stop` it reports every event of a container, in order.
 */
export interface PodProvider {
  readonly start: (onEvent: (event: PodLifecycleEvent) => void) => void
  readonly stop: () => void
  /** Why the loop must not go on: the runtime is down, the PLEG is stuck. Empty when all is well. */
  readonly runtimeErrors: () => readonly string[]
}

export interface PodsControllerDeps extends CorePorts {
  readonly podManager: PodManager
  readonly podWorkers: PodStateProvider & {
    readonly couldHaveRunningContainers: (uid: string) => boolean
  }
  readonly statusManager: StatusManagerApi
  readonly handler: SyncHandler & {
    readonly cleanUpContainersInPod: (uid: string, containerId: string, causes: TraceCauses) => void
  }
  readonly sourcesReady: SourcesReady
  /** Takes what is due out of the workers' queue. */
  readonly dueWork: () => readonly DueWork[]
  /** Asked about every pod at each tick: a pod whose active deadline has passed wants a sync (termination#active-deadline). */
  readonly wantsSync: (pod: Pod) => boolean
  readonly random: Random
  /** Called after every iteration. */
  readonly onIteration?: () => void
}

type Input =
  | { readonly kind: 'config'; readonly update: PodUpdate }
  | { readonly kind: 'pleg'; readonly event: PodLifecycleEvent }
  | { readonly kind: 'sync' }
  | { readonly kind: 'housekeeping' }
  | { readonly kind: ProbeType; readonly update: ProbeUpdate }

/** What the views show of the loop. `housekeepingMs`: how long the last pass took, undefined before the first. */
export interface SyncLoopView {
  readonly iterations: number
  readonly housekeepingMs: number | undefined
  readonly isStalledBy: readonly string[]
}

/**
 * Takes one input at a time: of the inputs that are ready, one at random, as Go's select does. Handlers do
 * not block, but for housekeeping, which waits for the runtime's list, and for a preemption at admission.
 */
export class PodsController implements SyncHandler {
  // SyncHandler describes them.
  readonly handlePodAdditions: SyncHandler['handlePodAdditions']
  readonly handlePodUpdates: SyncHandler['handlePodUpdates']
  readonly handlePodRemoves: SyncHandler['handlePodRemoves']
  readonly handlePodReconcile: SyncHandler['handlePodReconcile']
  readonly handlePodSyncs: SyncHandler['handlePodSyncs']
  readonly handlePodSyncByUID: SyncHandler['handlePodSyncByUID']
  readonly handlePodCleanups: SyncHandler['handlePodCleanups']
  readonly #deps: PodsControllerDeps
  readonly #config: PodUpdate[] = []
  readonly #pleg: PodLifecycleEvent[] = []
  readonly #probes: Readonly<Record<ProbeType, ProbeUpdate[]>> = {
    liveness: [],
    readiness: [],
    startup: [],
  }
  readonly #timers = new Set<CancelTimer>()
  readonly #ready = deferred<undefined>()
  readonly #ended = deferred<undefined>()
  #provider: PodProvider | undefined
  #isTickDue = false
  #isHousekeepingDue = false
  #state: 'new' | 'running' | 'stopped' = 'new'
  #isBusy = false
  #iterations = 0
  /** ms since the epoch; when it last took an input. */
  #enteredAt: number | undefined
  #housekeepingMs: number | undefined
  #stalledBy: readonly string[] = []
  #wasSkipped = false

  constructor(deps: PodsControllerDeps) {
    this.#deps = deps
    const { handler } = deps
    this.handlePodAdditions = handler.handlePodAdditions
    this.handlePodUpdates = handler.handlePodUpdates
    this.handlePodRemoves = handler.handlePodRemoves
    this.handlePodReconcile = handler.handlePodReconcile
    this.handlePodSyncs = handler.handlePodSyncs
    this.handlePodSyncByUID = handler.handlePodSyncByUID
    this.handlePodCleanups = handler.handlePodCleanups
  }

  /** Says what runs the pods; needed once, before `run` (seed: RegisterProvider). Throws when the loop runs already. */
  registerProvider(provider: PodProvider): void {
    if (this.#state !== 'new') throw new Error('a provider is registered before the loop runs')
    this.#provider = provider
  }

  /**
   * Starts the provider and the tickers and takes input until `stop`; resolves when the current input is finished
   * then (seed: Run). Throws without a provider. Running already, or stopped: starts nothing, resolves as the first
   * call does. A controller that was stopped is not used again.
   */
  async run(): Promise<void> {
    if (this.#state === 'new') this.#start()
    await this.#ended.promise
  }

  /** Resolves when the loop has found the runtime well for the first time, and pods can be handled (seed: Ready). */
  readonly ready = (): Promise<undefined> => this.#ready.promise

  /** Takes no further input. Resolves when the current one is finished (seed: Stop). Twice: the same. */
  async stop(): Promise<void> {
    if (this.#state === 'running') {
      for (const cancel of this.#timers) cancel()
      this.#timers.clear()
      this.#provider?.stop()
    }
    this.#state = 'stopped'
    if (!this.#isBusy) this.#ended.resolve(undefined)
    await this.#ended.promise
  }

  /** The pod workers, as those ask them who keep something of pods (seed: GetPodStateProvider). */
  getPodStateProvider(): PodStateProvider {
    return this.#deps.podWorkers
  }

  /** What caches and writes the statuses of pods (seed: GetStatusManager). */
  getStatusManager(): StatusManagerApi {
    return this.#deps.statusManager
  }

  /**
   * Whether containers of the pod could still run: until the workers have synced once, and from when a worker has
   * the pod until all its containers have stopped (kubelet PodCouldHaveRunningContainers). Of a mirror ask with its
   * static pod.
   */
  podCouldHaveRunningContainers(pod: Pod): boolean {
    return this.#deps.podWorkers.couldHaveRunningContainers(pod.metadata.uid)
  }

  /**
   * Whether the node holds no resources of the pod, so that it may be deleted from the API server: no
   * container could run, and none is reported as running in `status`, the one that was sent (seed:
   * PodResourcesAreReclaimed). Volumes and cgroups, which a kubelet asks about too, are not there.
   */
  podResourcesAreReclaimed(pod: Pod, status: PodStatus): boolean {
    if (this.podCouldHaveRunningContainers(pod)) return false
    const { initContainerStatuses = [], containerStatuses = [] } = status
    return [...initContainerStatuses, ...containerStatuses].every(
      ({ state }) => state?.running === undefined,
    )
  }

  /** What PodConfig merged. */
  readonly takeConfig = (update: PodUpdate): void => {
    this.#config.push(update)
    this.#wake()
  }

  /** What the provider saw. */
  readonly #takePleg = (event: PodLifecycleEvent): void => {
    this.#pleg.push(event)
    this.#wake()
  }

  /** A probe's result that changed. */
  readonly takeProbe = (type: ProbeType, update: ProbeUpdate): void => {
    this.#probes[type].push(update)
    this.#wake()
  }

  /** Why it is not well: it has not taken an input for `limitMs`, or two minutes if that is longer (SyncLoopHealthCheck). */
  healthError(limitMs: number): string | undefined {
    const since = this.#enteredAt ?? Infinity
    const isLate =
      this.#deps.clock.now() > since + Math.max(limitMs, syncLoopDefaults.healthLimitMs)
    return isLate ? 'sync Loop took longer than expected' : undefined
  }

  /** The state of the loop, for the views. */
  view(): SyncLoopView {
    return {
      iterations: this.#iterations,
      housekeepingMs: this.#housekeepingMs,
      isStalledBy: this.#stalledBy,
    }
  }

  #start(): void {
    if (this.#provider === undefined) throw new Error('no provider of pods was registered')
    this.#state = 'running'
    this.#provider.start(this.#takePleg)
    this.#every(syncLoopDefaults.syncPeriodMs, () => {
      this.#isTickDue = true
    })
    this.#every(syncLoopDefaults.housekeepingPeriodMs, () => {
      this.#isHousekeepingDue = true
    })
    this.#wake()
  }

  /** A call, since the state may change wherever something is waited for. */
  #isRunning(): boolean {
    return this.#state === 'running'
  }

  #every(periodMs: number, mark: () => void): void {
    let cancel: CancelTimer | undefined
    const tick = (): void => {
      if (cancel !== undefined) this.#timers.delete(cancel)
      cancel = this.#deps.clock.after(periodMs, () => {
        mark()
        tick()
        this.#wake()
      })
      this.#timers.add(cancel)
    }
    tick()
  }

  #wake(): void {
    if (this.#isBusy || this.#state !== 'running') return
    this.#isBusy = true
    void this.#drain()
  }

  async #drain(): Promise<void> {
    // Never in the call that brought the input.
    await Promise.resolve()
    for (;;) {
      const input = this.#isRunning() ? await this.#next() : undefined
      if (input === undefined) break
      await this.#iterate(input)
    }
    this.#isBusy = false
    if (!this.#isRunning()) this.#ended.resolve(undefined)
  }

  async #next(): Promise<Input | undefined> {
    await this.#untilRuntimeIsWell()
    if (!this.#isRunning()) return undefined
    const ready: Input['kind'][] = []
    if (this.#config.length > 0) ready.push('config')
    if (this.#pleg.length > 0) ready.push('pleg')
    if (this.#isTickDue) ready.push('sync')
    if (this.#isHousekeepingDue) ready.push('housekeeping')
    for (const type of probeTypes) if (this.#probes[type].length > 0) ready.push(type)
    const kind = ready[Math.floor(this.#deps.random.next() * ready.length)]
    return kind === undefined ? undefined : this.#take(kind)
  }

  #take(kind: Input['kind']): Input | undefined {
    switch (kind) {
      case 'config': {
        const update = this.#config.shift()
        return update === undefined ? undefined : { kind, update }
      }
      case 'pleg': {
        const event = this.#pleg.shift()
        return event === undefined ? undefined : { kind, event }
      }
      case 'sync':
        this.#isTickDue = false
        return { kind }
      case 'housekeeping':
        this.#isHousekeepingDue = false
        return { kind }
      case 'liveness':
      case 'readiness':
      case 'startup': {
        const update = this.#probes[kind].shift()
        return update === undefined ? undefined : { kind, update }
      }
      default:
        return assertNever(kind, 'input of the sync loop')
    }
  }

  async #untilRuntimeIsWell(): Promise<void> {
    const { base, max } = syncLoopDefaults.runtimeBackOffMs
    let delay: number = base
    for (;;) {
      this.#stalledBy = this.#provider?.runtimeErrors() ?? []
      if (!this.#isRunning()) return
      if (this.#stalledBy.length === 0) {
        this.#ready.resolve(undefined)
        return
      }
      this.#deps.log.warn('skipping pod synchronization', { errors: this.#stalledBy })
      await sleep(this.#deps.clock, delay)
      delay = Math.min(max, delay * 2)
    }
  }

  async #iterate(input: Input): Promise<void> {
    this.#iterations++
    this.#enteredAt = this.#deps.clock.now()
    try {
      await this.#handle(input)
    } catch (error) {
      // A handler that throws must not end the loop.
      this.#deps.log.error('sync loop iteration failed', {
        input: input.kind,
        error: String(error),
      })
    }
    this.#deps.onIteration?.()
  }

  async #handle(input: Input): Promise<void> {
    switch (input.kind) {
      case 'config':
        await this.#handleConfig(input.update)
        return
      case 'pleg':
        this.#handlePleg(input.event)
        return
      case 'sync':
        this.#handleTick()
        return
      case 'housekeeping':
        await this.#handleHousekeeping()
        return
      case 'liveness':
      case 'readiness':
      case 'startup':
        this.#handleProbe(input.kind, input.update)
        return
      default:
        assertNever(input, 'input of the sync loop')
    }
  }

  async #handleConfig(update: PodUpdate): Promise<void> {
    const { op, source, pods } = update
    const seq = traceAbout(
      this.#deps.trace,
      { kind: 'source', source },
      'loop.config',
      pods.slice(0, maxNames).flatMap((one) => one.causes),
      { source, op, pods: pods.length, names: pods.slice(0, maxNames).map(tracedName) },
    )
    switch (op) {
      case 'ADD':
        await this.handlePodAdditions(pods, [seq])
        break
      case 'UPDATE':
      case 'DELETE':
        // A deletion is an update: the pod has a deletionTimestamp now.
        await this.handlePodUpdates(pods, [seq])
        break
      case 'REMOVE':
        await this.handlePodRemoves(pods, [seq])
        break
      case 'RECONCILE':
        await this.handlePodReconcile(pods, [seq])
        break
      default:
        assertNever(op, 'op of a config update')
    }
    this.#deps.sourcesReady.addSource(source)
  }

  #handlePleg(event: PodLifecycleEvent): void {
    const { uid, type, containerId } = event
    const pod = this.#deps.podManager.getPodByUID(uid)
    const subject: TraceSubject = pod === undefined ? { kind: 'node' } : podSubject(pod)
    const seq = traceAbout(this.#deps.trace, subject, 'loop.pleg', event.causes, {
      type,
      containerId,
    })
    if (type !== 'ContainerRemoved' && pod !== undefined)
      this.handlePodSyncs([pod], [...event.causes, seq])
    if (type === 'ContainerDied') this.#deps.handler.cleanUpContainersInPod(uid, containerId, [seq])
  }

  /** kubelet syncLoopIteration and handleProbeSync. */
  #handleProbe(type: ProbeType, { podUid, containerId, result, causes }: ProbeUpdate): void {
    const { podManager, statusManager, trace } = this.#deps
    const isGood = result === 'success'
    if (type === 'liveness' && result !== 'failure') return
    const pod = podManager.getPodByUID(podUid)
    const subject: TraceSubject = pod === undefined ? { kind: 'node' } : podSubject(pod)
    const data = { probe: type, result, containerId }
    const because = [traceAbout(trace, subject, 'loop.probe', causes, data)]
    if (type === 'readiness')
      statusManager.setContainerReadiness(podUid, containerId, isGood, because)
    if (type === 'startup') statusManager.setContainerStartup(podUid, containerId, isGood, because)
    if (pod !== undefined) this.handlePodSyncs([pod], because)
  }

  #handleTick(): void {
    const { podManager, dueWork, wantsSync, trace } = this.#deps
    const due = new Map<string, TraceCauses>()
    const pods = new Set(podManager.getPods().filter(wantsSync))
    for (const { uid, causes } of dueWork()) {
      due.set(uid, causes)
      const pod = podManager.getPodByUID(uid)
      if (pod !== undefined) pods.add(pod)
    }
    if (pods.size === 0) return
    const first = [...pods].slice(0, maxNames)
    const seq = traceAbout(
      trace,
      { kind: 'node' },
      'loop.sync',
      first.flatMap((pod) => due.get(pod.metadata.uid) ?? []),
      { pods: pods.size },
    )
    for (const pod of pods) this.handlePodSyncs([pod], [...(due.get(pod.metadata.uid) ?? []), seq])
  }

  async #handleHousekeeping(): Promise<void> {
    if (!this.#deps.sourcesReady.allReady()) {
      if (!this.#wasSkipped) this.#traceSkipped()
      this.#wasSkipped = true
      return
    }
    this.#wasSkipped = false
    const startedAt = this.#deps.clock.now()
    await this.handlePodCleanups()
    this.#housekeepingMs = this.#deps.clock.now() - startedAt
    if (this.#housekeepingMs > syncLoopDefaults.syncPeriodMs)
      this.#deps.log.warn('housekeeping took longer than expected', { ms: this.#housekeepingMs })
  }

  #traceSkipped(): void {
    traceAbout(this.#deps.trace, { kind: 'node' }, 'loop.housekeeping', [], {
      orphans: 0,
      skipped: true,
      message: 'not all sources have been seen yet',
    })
  }
}

function tracedName({ pod }: MergedPod): string {
  const name = `${podNamespace(pod)}/${pod.metadata.name}`
  return isMirrorPod(pod) ? `${name} (mirror)` : name
}
