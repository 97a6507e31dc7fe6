/** Housekeeping: what HandlePodCleanups does, in its order (sync-loop#housekeeping). Cgroups have no part yet. */
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { filterOutInactivePods } from './active-pods.ts'
import type { AllocationManager } from './allocation/allocation-manager.ts'
import type { BackOff } from './container/back-off.ts'
import type { Runtime, RuntimePod } from './container/runtime.ts'
import type { MirrorClient } from './pod/mirror-client.ts'
import { isStaticPod, isTerminalPhase, traceAbout } from './pod/identity.ts'
import type { PodFullName } from './pod/identity.ts'
import type { PodManager, PodsAndMirrorPods } from './pod/pod-manager.ts'
import { staticLabel } from './metrics/kubelet-metrics.ts'
import { countWorkingPods } from './metrics/working-pods.ts'
import type { CorePorts, Log, Trace } from './ports.ts'
import type { ContainerProber } from './prober/prober-manager.ts'
import type { StatusManagerApi } from './status/status-manager-api.ts'
import type { LoopPodWorkers } from './sync-handler.ts'
import type { VolumeManager } from './volumemanager/volume-manager.ts'
import type { PodWorkerSync, PodWorkerSyncs } from './workers/sync-known-pods.ts'

export interface PodCleanupsDeps extends Pick<CorePorts, 'metrics'> {
  readonly podManager: PodManager
  readonly podWorkers: LoopPodWorkers & {
    readonly syncKnownPods: (
      desired: readonly Pod[],
      causes: () => TraceCauses,
      uids: ReadonlySet<string>,
    ) => PodWorkerSyncs
  }
  readonly statusManager: StatusManagerApi
  readonly prober: Pick<ContainerProber, 'cleanupPods'>
  /** Absent: pods have none. */
  readonly volumes?: Pick<VolumeManager, 'cleanUp'> | undefined
  readonly allocations: Pick<AllocationManager, 'removeOrphanedPods'>
  readonly mirrorClient: MirrorClient
  readonly runtime: Pick<Runtime, 'getPods'>
  readonly crashLoopBackOff: Pick<BackOff, 'collectGarbage'>
  readonly trace: Trace
  readonly log: Log
}

/** One pass. It writes its trace event when it first does something; the event causes all its actions. */
class HousekeepingPass {
  /** Those that it handed to a worker. */
  readonly started = new Map<string, PodWorkerSync>()
  readonly #trace: Trace
  #causes: TraceCauses | undefined

  constructor(trace: Trace) {
    this.#trace = trace
  }

  causes(message: string): TraceCauses {
    this.#causes ??= [
      traceAbout(this.#trace, { kind: 'node' }, 'loop.housekeeping', [], {
        orphans: 0,
        skipped: false,
        message,
      }),
    ]
    return this.#causes
  }
}

/** Grace for containers of a pod without a source, in seconds. */
const runtimePodGraceSeconds = 1

/** What has no worker; the same in the next pass if what it was found in is. */
interface Idle {
  readonly of: readonly [PodsAndMirrorPods, PodWorkerSyncs, readonly RuntimePod[]]
  readonly pods: readonly Pod[]
  readonly runtimePods: readonly RuntimePod[]
}

/** What a pass needs of the pods; the next one needs the same when the pod manager has the same lists. */
interface KnownPods {
  readonly of: PodsAndMirrorPods
  /** Without mirrors. */
  readonly podUids: ReadonlySet<string>
  /** With mirrors. */
  readonly allUids: ReadonlySet<string>
  readonly staticCount: number
}

function uidsOf(pods: readonly Pod[]): ReadonlySet<string> {
  return new Set(pods.map(({ metadata }) => metadata.uid))
}

function countStatics(pods: readonly Pod[]): number {
  return pods.filter(isStaticPod).length
}

function knownPods(of: PodsAndMirrorPods): KnownPods {
  const { allPods, allMirrorPods } = of
  const podUids = uidsOf(allPods)
  const allUids =
    allMirrorPods.length === 0 ? podUids : new Set([...podUids, ...uidsOf(allMirrorPods)])
  return { of, podUids, allUids, staticCount: countStatics(allPods) }
}

/** Brings workers, mirrors, statuses and the runtime in line with the config, each time it is called. */
export class PodCleanups {
  readonly #deps: PodCleanupsDeps
  #known: KnownPods | undefined
  #idle: Idle | undefined
  #counted: PodWorkerSyncs | undefined
  #restartedPodsTotal = 0
  #orphanedRuntimePodsTotal = 0

  constructor(deps: PodCleanupsDeps) {
    this.#deps = deps
  }

  /** Pods whose uid was added again during termination (`restarted_pods_total`). */
  get restartedPodsTotal(): number {
    return this.#restartedPodsTotal
  }

  /** Pods found in the runtime that no worker knew (`orphaned_runtime_pods_total`). */
  get orphanedRuntimePodsTotal(): number {
    return this.#orphanedRuntimePodsTotal
  }

  /** One pass. Never throws; a runtime that does not answer ends it early, as in the kubelet. */
  async run(): Promise<void> {
    const { podManager, podWorkers, statusManager, prober, runtime, trace, log } = this.#deps
    const pass = new HousekeepingPass(trace)
    const known = this.#knownPods(podManager.getPodsAndMirrorPods())
    const { allPods, orphanedMirrorPodFullNames } = known.of
    const { podUids } = known
    // Pods that this pass hands to workers are added to it.
    const causes = (): TraceCauses => pass.causes('finished or unwanted workers')
    const working = podWorkers.syncKnownPods(allPods, causes, podUids)
    const running = await runtime.getPods(false)
    if (!running.ok) {
      log.warn('housekeeping ended early: the runtime does not list its pods', {
        error: running.error.message,
      })
      return
    }
    // Those in SyncPod or terminating: what is terminated has nothing to probe.
    const isTerminated = (uid: string): boolean => working.get(uid)?.state === 'terminated'
    prober.cleanupPods({ has: (uid) => working.has(uid) && !isTerminated(uid) })
    statusManager.removeOrphanedStatuses(known.allUids)
    this.#deps.allocations.removeOrphanedPods(podUids)
    await this.#deps.volumes?.cleanUp(
      (uid) => podUids.has(uid) || running.value.some((pod) => pod.uid === uid),
    )
    await this.#deleteOrphanedMirrorPods(orphanedMirrorPodFullNames, pass)
    this.#countPods(known)
    const idle = this.#idleOf([known.of, working, running.value])
    this.#startUnknownPods(idle.pods, pass)
    this.#finishTerminalPods(idle, running.value, pass)
    this.#killRuntimePods(idle.runtimePods, pass)
    this.#countWorkers(working, pass)
    this.#deps.crashLoopBackOff.collectGarbage()
  }

  #idleOf(of: Idle['of']): Idle {
    if (this.#idle?.of.every((part, index) => part === of[index]) === true) return this.#idle
    const [{ allPods }, working, running] = of
    const pods = allPods.filter(({ metadata }) => !working.has(metadata.uid))
    this.#idle = { of, pods, runtimePods: running.filter(({ uid }) => !working.has(uid)) }
    return this.#idle
  }

  #countWorkers(working: PodWorkerSyncs, { started }: HousekeepingPass): void {
    const { metrics } = this.#deps
    if (metrics === undefined || (this.#counted === working && started.size === 0)) return
    countWorkingPods(metrics, [...working.values(), ...started.values()])
    this.#counted = started.size === 0 ? working : undefined
  }

  async #deleteOrphanedMirrorPods(
    names: readonly PodFullName[],
    pass: HousekeepingPass,
  ): Promise<void> {
    for (const fullName of names) {
      // The mirror of a static pod that is still stopping goes when it has stopped (mirror-pods#orphaned-mirrors).
      if (this.#deps.podWorkers.isPodForMirrorPodTerminatingByFullName(fullName)) continue
      await this.#deps.mirrorClient.deleteMirrorPod(fullName, {
        why: 'orphan',
        causes: pass.causes(`orphaned mirror ${fullName}`),
      })
    }
  }

  #knownPods(of: PodsAndMirrorPods): KnownPods {
    if (this.#known?.of !== of) this.#known = knownPods(of)
    return this.#known
  }

  #countPods({ of: { allPods: all, allMirrorPods: mirrors }, staticCount }: KnownPods): void {
    const { metrics } = this.#deps
    if (metrics === undefined) return
    const active = filterOutInactivePods(all, this.#deps)
    const activeOfFiles = active.length === all.length ? staticCount : countStatics(active)
    for (const [pods, count, metric] of [
      [all, staticCount, metrics.desiredPods],
      [active, activeOfFiles, metrics.activePods],
    ] as const) {
      metric.with(staticLabel(true)).set(count)
      metric.with(staticLabel(false)).set(pods.length - count)
    }
    for (const isStatic of [true, false]) metrics.restartedPods.with(staticLabel(isStatic))
    metrics.mirrorPods.with().set(mirrors.length)
  }

  #startUnknownPods(idle: readonly Pod[], pass: HousekeepingPass): void {
    if (idle.length === 0) return
    const { podManager, podWorkers, metrics } = this.#deps
    for (const pod of filterOutInactivePods(idle, this.#deps)) {
      const mirrorPod = podManager.getMirrorPodByPod(pod)
      this.#restartedPodsTotal++
      const isStatic = isStaticPod(pod)
      metrics?.restartedPods.with(staticLabel(isStatic)).increment()
      podWorkers.updatePod({
        updateType: 'create',
        pod,
        mirrorPod,
        causes: pass.causes('pods that have no worker'),
      })
      const sync = { state: 'sync', orphan: false, hasConfig: true, static: isStatic } as const
      pass.started.set(pod.metadata.uid, sync)
    }
  }

  /** Deleted pods that were over before a worker saw them: a worker finishes and deletes them. */
  #finishTerminalPods(
    { pods }: Idle,
    running: readonly RuntimePod[],
    pass: HousekeepingPass,
  ): void {
    for (const pod of pods) {
      const { uid, deletionTimestamp } = pod.metadata
      if (deletionTimestamp === undefined || pass.started.has(uid)) continue
      if (!isTerminalPhase(pod.status?.phase)) continue
      if (running.some((one) => one.uid === uid)) continue
      const causes = pass.causes('deleted pods that are over')
      this.#deps.podWorkers.updatePod({ updateType: 'kill', pod, causes })
    }
  }

  #killRuntimePods(idle: readonly RuntimePod[], pass: HousekeepingPass): void {
    for (const runningPod of idle) {
      // Regardless of the worker's state: an old list must not stop a terminated pod again.
      if (pass.started.has(runningPod.uid)) continue
      this.#orphanedRuntimePodsTotal++
      this.#deps.metrics?.orphanedRuntimePods.with().increment()
      pass.started.set(runningPod.uid, {
        state: 'terminating',
        orphan: true,
        hasConfig: false,
        static: false,
      })
      this.#deps.podWorkers.updatePod({
        updateType: 'kill',
        runningPod,
        killPodOptions: { gracePeriodSecondsOverride: runtimePodGraceSeconds },
        causes: pass.causes('running pods that no worker knows'),
      })
    }
  }
}
