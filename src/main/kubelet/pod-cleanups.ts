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
import type { PodWorkerSync } from './workers/sync-known-pods.ts'

export interface PodCleanupsDeps extends Pick<CorePorts, 'metrics'> {
  readonly podManager: PodManager
  readonly podWorkers: LoopPodWorkers & {
    readonly syncKnownPods: (
      desired: readonly Pod[],
      causes: () => TraceCauses,
      uids: ReadonlySet<string>,
    ) => WorkingPods
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

/** By uid. */
type WorkingPods = Map<string, PodWorkerSync>

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
    const runningUids = new Set<string>()
    for (const { uid } of running.value) runningUids.add(uid)
    this.#deps.allocations.removeOrphanedPods(podUids)
    await this.#deps.volumes?.cleanUp((uid) => podUids.has(uid) || runningUids.has(uid))
    await this.#deleteOrphanedMirrorPods(orphanedMirrorPodFullNames, pass)
    this.#countPods(known)
    this.#startUnknownPods(allPods, working, pass)
    this.#finishTerminalPods(allPods, working, runningUids, pass)
    this.#killRuntimePods(running.value, working, pass)
    if (this.#deps.metrics !== undefined) countWorkingPods(this.#deps.metrics, working.values())
    this.#deps.crashLoopBackOff.collectGarbage()
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

  #startUnknownPods(pods: readonly Pod[], working: WorkingPods, pass: HousekeepingPass): void {
    const { podManager, podWorkers, metrics } = this.#deps
    const idle = pods.filter(({ metadata }) => !working.has(metadata.uid))
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
      working.set(pod.metadata.uid, sync)
    }
  }

  /** Deleted pods that were over before a worker saw them: a worker finishes and deletes them. */
  #finishTerminalPods(
    pods: readonly Pod[],
    working: WorkingPods,
    runningUids: ReadonlySet<string>,
    pass: HousekeepingPass,
  ): void {
    for (const pod of pods) {
      const { uid, deletionTimestamp } = pod.metadata
      if (deletionTimestamp === undefined || working.has(uid) || runningUids.has(uid)) continue
      if (!isTerminalPhase(pod.status?.phase)) continue
      const causes = pass.causes('deleted pods that are over')
      this.#deps.podWorkers.updatePod({ updateType: 'kill', pod, causes })
    }
  }

  #killRuntimePods(
    running: readonly RuntimePod[],
    working: WorkingPods,
    pass: HousekeepingPass,
  ): void {
    for (const runningPod of running) {
      // Regardless of the worker's state: an old list must not stop a terminated pod again.
      if (working.has(runningPod.uid)) continue
      this.#orphanedRuntimePodsTotal++
      this.#deps.metrics?.orphanedRuntimePods.with().increment()
      working.set(runningPod.uid, {
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
