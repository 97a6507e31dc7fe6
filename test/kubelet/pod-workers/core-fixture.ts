import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import type { Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Result } from '../../../src/shared/result.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { BackOff, backOffDefaults } from '../../../src/main/kubelet/container/back-off.ts'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import { noProbes } from '../../../src/main/kubelet/container/probe-results.ts'
import { ReasonCache } from '../../../src/main/kubelet/container/reason-cache.ts'
import type { PodRuntimeStatus, Runtime } from '../../../src/main/kubelet/container/runtime.ts'
import { FakeApiClient } from '../../../src/main/kubelet/fake-api-client.ts'
import { noObjectManagers } from '../../../src/main/kubelet/object-managers/fake-object-managers.ts'
import { configSourceAnnotation } from '../../../src/main/kubelet/pod/identity.ts'
import { BasicMirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'
import { MirrorReconciler } from '../../../src/main/kubelet/pod/mirror-reconciler.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { PodCleanups } from '../../../src/main/kubelet/pod-cleanups.ts'
import { KubeletPodSyncer } from '../../../src/main/kubelet/pod-syncer.ts'
import type { ApiClient, ApiError, Random, RuntimeError } from '../../../src/main/kubelet/ports.ts'
import { StatusManager } from '../../../src/main/kubelet/status/status-manager.ts'
import { StopGate } from '../../../src/main/kubelet/stop-gate.ts'
import type { SyncEnd } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import type { PodSyncer, PodSyncFailure } from '../../../src/main/kubelet/workers/pod-sync.ts'
import { PodWorkers } from '../../../src/main/kubelet/workers/pod-workers.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'
import { WorkQueue } from '../../../src/main/kubelet/workers/work-queue.ts'
import { WorkerInvariants } from '../../models/worker-invariants.ts'
import { ModelRuntime } from './model-runtime.ts'
import type { AwaitPoints } from './await-points.ts'

const unavailable: Result<never, ApiError> = err({ kind: 'unavailable', message: 'away' })
const runtimeAway: Result<never, RuntimeError> = err({ kind: 'failed', message: 'away' })
const syncFailed = { results: [], error: 'away' }

/** No jitter: every pause is as short as it can be. */
const noJitter: Random = { next: () => 0, fork: () => noJitter }

const node: Node = { metadata: { name: 'node', uid: 'node-uid' } }

/** What stays when a kubelet goes: time, the API server, the runtime, the manifests (by full name one each). */
export class Outside {
  readonly clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  readonly server = new FakeApiClient({ clock: this.clock })
  readonly runtime = new ModelRuntime()
  readonly manifests = new Map<string, Pod>()
}

type SyncKind = 'sync' | 'terminating' | 'runtimePod' | 'terminated'

/** Called when a worker's sync begins, and with its result before the worker gets it. */
interface SyncWatch {
  readonly begins: (uid: string, kind: SyncKind) => void
  readonly ends: (uid: string, how: SyncEnd) => void
}

/**
 * The core of one kubelet, real: workers, syncer, status manager, mirrors, pod manager, housekeeping. Its ports
 * are `awaitPoints`; there is no loop, the test calls `takeSources`, `tick` and `housekeeping` when it wants.
 */
export class CoreFixture {
  readonly awaitPoints: AwaitPoints
  readonly trace = new FakeTrace()
  readonly log = new FakeLog()
  readonly recorder = new FakeEventRecorder()
  readonly podManager = new PodManager({ trace: { emit: () => 0 } })
  readonly workQueue: WorkQueue
  readonly workers: PodWorkers
  readonly statusManager: StatusManager
  readonly invariants: WorkerInvariants
  readonly syncer: PodSyncer
  readonly #outside: Outside
  readonly #gate = new StopGate()
  readonly #cleanups: PodCleanups
  /** What the API source said last, by uid. */
  #known = new Map<string, Pod>()
  readonly #copies = new WeakMap<Pod, Pod>()
  #isCleaning = false
  #hasSources = false
  onSync: SyncWatch = { begins: () => undefined, ends: () => undefined }
  /** Called for every update on its way to the workers. */
  onUpdate: (options: UpdatePodOptions) => void = () => undefined

  /** Called for every uid that the work queue gives back. */
  onDue: (uid: string) => void = () => undefined
  /** Called with what the workers say of the pods that they know. */
  onKnownPods: (desired: readonly Pod[], said: ReturnType<PodWorkers['syncKnownPods']>) => void =
    () => undefined

  constructor(outside: Outside, awaitPoints: AwaitPoints) {
    this.#outside = outside
    this.awaitPoints = awaitPoints
    const { clock } = outside
    const { trace, log, recorder, podManager } = this
    const shared = { clock, trace, log, recorder, podManager, nodeName: 'node' }
    const nodeLister = { get: () => node, hasSynced: () => true }
    const runtime = this.#runtime()
    this.statusManager = new StatusManager({
      ...shared,
      api: this.#api('status'),
      podDeletionSafety: {
        couldHaveRunningContainers: (uid) => this.workers.couldHaveRunningContainers(uid),
      },
    })
    const mirrorClient = new BasicMirrorClient({ ...shared, nodeLister, api: this.#api('mirror') })
    const syncer = new KubeletPodSyncer({
      runtime,
      statusManager: this.statusManager,
      mirrorReconciler: new MirrorReconciler({ ...shared, nodeLister, mirrorClient }),
      reasonCache: new ReasonCache(),
      recorder,
      prober: {
        addPod: () => undefined,
        stopLivenessAndStartup: () => undefined,
        removePod: () => undefined,
        probes: noProbes,
      },
      setUpPod: () => Promise.resolve(),
      evictionChecks: [],
      ...noObjectManagers,
      isTerminationRequested: (uid) => this.workers.isPodTerminationRequested(uid),
      hostIPs: () => [],
      allocations: fakeAllocations(),
    })
    this.syncer = this.#watched(syncer)
    this.workQueue = new WorkQueue({ clock })
    this.workers = new PodWorkers({
      ...shared,
      random: noJitter,
      podCache: {
        get: outside.runtime.getPodStatus,
        getNewerThan: (uid) =>
          awaitPoints.call<Result<PodRuntimeStatus, RuntimeError>>(
            `cache before ${this.#nextSync(uid)}`,
            [uid],
            {
              act: () => outside.runtime.getPodStatus(uid),
              failure: runtimeAway,
            },
          ),
      },
      podSyncer: this.syncer,
      workQueue: this.workQueue,
    })
    this.invariants = new WorkerInvariants({ table: this.workers.table })
    this.#cleanups = new PodCleanups({
      ...shared,
      prober: { cleanupPods: () => undefined },
      allocations: fakeAllocations(),
      podWorkers: this.#toldWorkers(),
      statusManager: this.statusManager,
      mirrorClient: new BasicMirrorClient({
        ...shared,
        nodeLister,
        api: this.#gate.api(outside.server),
      }),
      runtime,
      crashLoopBackOff: new BackOff({ clock, ...backOffDefaults.crashLoop }),
    })
    this.statusManager.start()
  }

  get isStopped(): boolean {
    return this.#gate.isStopped
  }

  /** As a kubelet stops: nothing more is begun; what is under way ends as it will. */
  stop(): void {
    this.#gate.stop()
    this.workers.stop()
    this.statusManager.stop()
  }

  /** Lets everything run that can run now. */
  async settle(): Promise<void> {
    await this.#outside.clock.advance(0)
    this.invariants.check()
  }

  update(options: Omit<UpdatePodOptions, 'causes'>): void {
    if (this.isStopped) return
    const whole = { ...options, causes: [] }
    this.onUpdate(whole)
    this.workers.updatePod(whole)
  }

  /** What the sources have now goes to the pod manager and the workers (sources#merge, sync-loop#handlers). */
  takeSources(): void {
    if (this.isStopped || this.#isCleaning) return
    const { server, manifests } = this.#outside
    const all = [...manifests.values(), ...server.pods().map((pod) => this.#fromApi(pod))]
    const now = new Map(all.map((pod) => [pod.metadata.uid, pod]))
    for (const [uid, pod] of this.#known) if (!now.has(uid)) this.#removed(pod)
    for (const [uid, pod] of now) {
      const before = this.#known.get(uid)
      if (before !== pod) this.#changed(pod, before)
    }
    this.#known = now
    this.#hasSources = true
  }

  /** The sync loop's second: what is due and known is synced. */
  tick(): void {
    if (this.isStopped || this.#isCleaning) return
    for (const { uid } of this.workQueue.getWork()) {
      this.onDue(uid)
      const pod = this.podManager.getPodByUID(uid)
      if (pod !== undefined) this.#tell('sync', pod)
    }
  }

  /** One pass; the loop waits for it. Before the sources have said what they have: nothing (sources#sources-ready). */
  async housekeeping(): Promise<void> {
    if (this.isStopped || this.#isCleaning || !this.#hasSources) return
    this.#isCleaning = true
    await this.#cleanups.run()
    this.#isCleaning = false
  }

  /** The kubelet's copy of an object of the API server; the same for the same object. */
  #fromApi(pod: Pod): Pod {
    const known = this.#copies.get(pod)
    if (known !== undefined) return known
    const annotations = { ...pod.metadata.annotations, [configSourceAnnotation]: 'api' }
    const copy = { ...pod, metadata: { ...pod.metadata, annotations } }
    this.#copies.set(pod, copy)
    return copy
  }

  #removed(pod: Pod): void {
    this.podManager.removePod(pod, [])
    const found = this.podManager.getPodAndMirrorPod(pod)
    if (!found.wasMirror) this.update({ updateType: 'kill', pod })
    else if (found.pod !== undefined)
      this.update({ updateType: 'update', pod: found.pod, mirrorPod: pod })
  }

  #changed(pod: Pod, before: Pod | undefined): void {
    this.podManager.updatePod(pod, [])
    const found = this.podManager.getPodAndMirrorPod(pod)
    if (found.pod === undefined) return
    // A change of status alone wakes no worker.
    if (before !== undefined && meaning(before) === meaning(pod)) return
    this.#tell(before === undefined && !found.wasMirror ? 'create' : 'update', found.pod)
  }

  #tell(updateType: UpdatePodOptions['updateType'], pod: Pod): void {
    const mirrorPod = this.podManager.getMirrorPodByPod(pod)
    this.update({ updateType, pod, ...(mirrorPod === undefined ? {} : { mirrorPod }) })
  }

  /** What the worker of a uid waits for the cache for. */
  #nextSync(uid: string): string {
    const type = this.workers.table.records.get(uid)?.currentSync?.type ?? 'sync'
    return { sync: 'SyncPod', terminating: 'SyncTerminatingPod', terminated: 'SyncTerminatedPod' }[
      type
    ]
  }

  #uidsOf(name: string): readonly string[] {
    const records = [...this.workers.table.records.values()]
    return records.filter(({ subject }) => 'name' in subject && subject.name === name).map(uidOf)
  }

  #api(who: string): ApiClient {
    const { server } = this.#outside
    const call = <T>(
      verb: string,
      name: string,
      act: () => Promise<Result<T, ApiError>>,
    ): Promise<Result<T, ApiError>> =>
      this.awaitPoints.call(`${who}: ${verb}`, this.#uidsOf(name), { act, failure: unavailable })
    return this.#gate.api({
      get: (key, causes) => call('get', key.name, () => server.get(key, causes)),
      list: (scope, causes) => server.list(scope, causes),
      create: (scope, object, causes) =>
        call('create', object.metadata.name, () => server.create(scope, object, causes)),
      update: (key, object, causes) => server.update(key, object, causes),
      patch: (key, patch, causes) =>
        call('patch', key.name, () => server.patch(key, patch, causes)),
      delete: (key, options, causes) =>
        call('delete', key.name, () => server.delete(key, options, causes)),
      evict: (key, options, causes) => server.evict(key, options, causes),
    })
  }

  #runtime(): Runtime {
    const { runtime } = this.#outside
    const isStopped = (): boolean => this.isStopped
    return {
      // Housekeeping's own calls end at once: the loop waits for them.
      getPods: () => Promise.resolve(isStopped() ? runtimeAway : ok(runtime.list())),
      getPodStatus: (uid) =>
        isStopped()
          ? Promise.resolve(runtimeAway)
          : this.awaitPoints.call<Result<PodRuntimeStatus, RuntimeError>>(
              'SyncTerminatingPod: getPodStatus',
              [uid],
              {
                act: () => runtime.getPodStatus(uid),
                failure: runtimeAway,
              },
            ),
      syncPod: (pod) =>
        isStopped()
          ? Promise.resolve(syncFailed)
          : this.awaitPoints.call('SyncPod: syncPod', [pod.metadata.uid], {
              act: () => runtime.start(pod),
              failure: syncFailed,
            }),
      killPod: (pod, { uid }) =>
        isStopped()
          ? Promise.resolve(syncFailed)
          : this.awaitPoints.call(
              `${pod.spec.restartPolicy === undefined ? 'SyncTerminatingRuntimePod' : 'SyncTerminatingPod'}: killPod`,
              [uid],
              { act: () => runtime.kill(uid), failure: syncFailed },
            ),
      deleteContainersInPod: () => Promise.resolve(),
      runtimeErrors: () => [],
      networkError: () => undefined,
    }
  }

  #watched(syncer: PodSyncer): PodSyncer {
    const watch = async <T>(
      kind: SyncKind,
      uid: string,
      sync: () => Promise<Result<T, PodSyncFailure>>,
    ): Promise<Result<T, PodSyncFailure>> => {
      this.invariants.syncBegins(uid, kind)
      this.onSync.begins(uid, kind)
      const ended = (how: SyncEnd): void => {
        this.invariants.syncEnds(uid, kind, how === 'ok' || how === 'terminal')
        this.onSync.ends(uid, how)
      }
      try {
        const result = await sync()
        ended(endOf(result))
        return result
      } catch (error) {
        ended('error')
        throw error
      }
    }
    return {
      syncPod: (cancellation, work) =>
        watch('sync', work.pod.metadata.uid, () => syncer.syncPod(cancellation, work)),
      syncTerminatingPod: (cancellation, work) =>
        watch('terminating', work.pod.metadata.uid, () =>
          syncer.syncTerminatingPod(cancellation, work),
        ),
      syncTerminatingRuntimePod: (cancellation, work) =>
        watch('runtimePod', work.runningPod.uid, () =>
          syncer.syncTerminatingRuntimePod(cancellation, work),
        ),
      syncTerminatedPod: (cancellation, work) =>
        watch('terminated', work.pod.metadata.uid, () =>
          syncer.syncTerminatedPod(cancellation, work),
        ),
    }
  }

  /** The workers as housekeeping has them, with a record of its updates. */
  #toldWorkers(): ConstructorParameters<typeof PodCleanups>[0]['podWorkers'] {
    const workers = (): PodWorkers => this.workers
    return {
      updatePod: (options) => {
        this.update(options)
      },
      syncKnownPods: (desired, causes) => {
        const said = workers().syncKnownPods(desired, causes)
        this.onKnownPods(desired, said)
        return said
      },
      isPodKnownTerminated: (uid) => workers().isPodKnownTerminated(uid),
      isPodTerminationRequested: (uid) => workers().isPodTerminationRequested(uid),
      shouldPodContentBeRemoved: (uid) => workers().shouldPodContentBeRemoved(uid),
      isPodForMirrorPodTerminatingByFullName: (name) =>
        workers().isPodForMirrorPodTerminatingByFullName(name),
    }
  }
}

function uidOf({ uid }: { readonly uid: string }): string {
  return uid
}

/** What wakes a worker when it changes (sources#merge). */
function meaning({ metadata, spec }: Pod): string {
  const { labels, deletionTimestamp, deletionGracePeriodSeconds } = metadata
  return JSON.stringify([spec, labels, deletionTimestamp, deletionGracePeriodSeconds])
}

function endOf(result: Result<unknown, PodSyncFailure>): SyncEnd {
  if (!result.ok) {
    if (result.error.kind === 'cancelled') return 'cancelled'
    return result.error.message.includes('network is not ready') ? 'network' : 'error'
  }
  const { value } = result
  const isTerminal = typeof value === 'object' && value !== null && 'isTerminal' in value
  return isTerminal && value.isTerminal === true ? 'terminal' : 'ok'
}
