import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { VolumeProgress } from '../../../shared/model/inside-pod/pod-volumes.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Cancellation, Clock, ContainerHost, EventRecorder, Log, Trace } from '../ports.ts'
import type { PodVolume, VolumePlugins } from '../volume/volume-plugins.ts'
import { PeriodicLoop } from './periodic-loop.ts'
import { pollUntil } from './poll.ts'
import { Populator, usedVolumeNames } from './populator.ts'
import type { PopulatorDeps } from './populator.ts'
import { Reconciler } from './reconciler.ts'
import { volumeProgress } from './volume-progress.ts'
import { VolumeWorlds, volumeKey } from './volume-states.ts'
import type { VolumeId } from './volume-states.ts'

const loopPeriodMs = 100
const waitTimeoutMs = 123_000
const waitIntervalMs = 300
const cleanUpIntervalMs = 100

export interface VolumeManagerDeps extends Omit<PopulatorDeps, 'isUpToDate'> {
  readonly clock: Clock
  readonly trace: Trace
  readonly log: Log
  readonly recorder: EventRecorder
  readonly host: Pick<ContainerHost, 'files' | 'rootFolder' | 'beforeMount'>
  readonly plugins: Pick<VolumePlugins, 'pluginOf' | 'onDisk' | 'podFolder'>
  /** The trace events by which the ConfigMaps and Secrets arrived that a volume is made of. */
  readonly objectCauses: (pod: Pod, volume: PodVolume) => TraceCauses
}

/** A volume as containers mount it. */
export interface MountedVolume {
  readonly path: string
  readonly isReadOnly: boolean
}

/** What the sync functions need of the volumes. The error is Go's text. */
export interface PodVolumes {
  /**
   * Resolves when every volume that a container mounts is set up; it is set up again where its content may have changed. With the
   * trace events of the mounts that it has waited for.
   */
  readonly waitForAttachAndMount: (
    cancellation: Cancellation,
    pod: Pod,
    causes: TraceCauses,
  ) => Promise<Result<TraceCauses, string>>
  /** Resolves when no volume of a stopped pod is left on the node. */
  readonly waitForUnmount: (
    cancellation: Cancellation,
    pod: Pod,
    causes: TraceCauses,
  ) => Promise<Result<undefined, string>>
}

/**
 * Sets up the volumes of pods and removes them: a populator finds which volumes there are to be, a reconciler mounts and
 * unmounts, each at every 100 ms. Source: pkg/kubelet/volumemanager/volume_manager.go.
 */
export class VolumeManager implements PodVolumes {
  readonly #deps: VolumeManagerDeps
  readonly #worlds = new VolumeWorlds()
  readonly #populator: Populator
  readonly #populatorLoop: PeriodicLoop
  readonly #reconciler: Reconciler
  readonly #reconcilerLoop: PeriodicLoop
  #isStopped = false

  constructor(deps: VolumeManagerDeps) {
    this.#deps = deps
    const { clock } = deps
    this.#populator = new Populator(
      { ...deps, isUpToDate: (volume) => this.#reconciler.isUpToDate(volume) },
      this.#worlds,
    )
    this.#reconciler = new Reconciler(
      {
        ...deps,
        mayUnmount: () => this.#populator.hasAddedPods,
        wake: (notBefore) => {
          this.#reconcilerLoop.wake(notBefore)
        },
        mounted: (podUid) => {
          // The pod was removed before: only now is the volume removed too.
          if (!deps.podStates.shouldPodRuntimeBeRemoved(podUid)) return
          this.#populator.checkAll()
          this.#populatorLoop.wake()
        },
      },
      this.#worlds,
    )
    const loop = { clock, periodMs: loopPeriodMs }
    this.#reconcilerLoop = new PeriodicLoop({
      ...loop,
      run: () => {
        const left = this.#populator.runUntil(clock.now())
        if (left !== undefined) this.#reconcilerLoop.wake(left)
        this.#reconciler.run()
      },
    })
    this.#populatorLoop = new PeriodicLoop({
      ...loop,
      run: () => {
        this.#populator.run()
        this.#reconcilerLoop.wake()
      },
    })
  }

  /** Finds what an earlier kubelet left, then starts the loops. */
  async start(): Promise<void> {
    this.#populatorLoop.start()
    for (const { podUid, volume: name, plugin } of await this.#deps.plugins.onDisk()) {
      const { isReadOnly } = plugin
      const found = { podUid, name, pod: undefined, plugin, path: '', isReadOnly }
      if (this.#worlds.actual.get(found) === undefined)
        this.#worlds.actual.set({
          ...found,
          state: 'uncertain',
          needsRemount: false,
          causes: [],
          mountedBy: undefined,
          mountedAt: undefined,
          updatedAt: undefined,
        })
    }
    if (!this.#isStopped) this.#reconcilerLoop.start()
  }

  stop(): void {
    this.#isStopped = true
    this.#populatorLoop.stop()
    this.#reconcilerLoop.stop()
  }

  readonly waitForAttachAndMount: PodVolumes['waitForAttachAndMount'] = async (
    cancellation,
    pod,
    causes,
  ) => {
    const { clock } = this.#deps
    const { uid } = pod.metadata
    const expected = [...usedVolumeNames(pod)].toSorted()
    if (expected.length === 0) return ok([])
    this.#reprocess(uid, causes)
    const isUnmounted = (name: string): boolean =>
      this.#worlds.actual.get({ podUid: uid, name })?.state !== 'mounted'
    const awaited = expected.filter(isUnmounted)
    const polling = { clock, cancellation, intervalMs: waitIntervalMs, timeoutMs: waitTimeoutMs }
    const failure = await pollUntil(polling, () => this.#isStopped || !expected.some(isUnmounted))
    const unmounted = expected.filter(isUnmounted)
    if (failure === undefined || unmounted.length === 0)
      return ok(
        awaited.flatMap((name) => this.#worlds.actual.get({ podUid: uid, name })?.mountedBy ?? []),
      )
    const unknown = expected.filter(
      (name) => this.#worlds.desired.get({ podUid: uid, name }) === undefined,
    )
    return err(
      `unmounted volumes=[${unmounted.join(' ')}], unattached volumes=[], failed to process volumes=[${unknown.join(' ')}]: ${failure}`,
    )
  }

  readonly waitForUnmount: PodVolumes['waitForUnmount'] = async (cancellation, pod, causes) => {
    const { clock } = this.#deps
    const { uid } = pod.metadata
    this.#reprocess(uid, causes)
    const polling = { clock, cancellation, intervalMs: waitIntervalMs, timeoutMs: waitTimeoutMs }
    const isUnmounted = (): boolean => this.#isStopped || this.mountedVolumes(uid).size === 0
    const failure = await pollUntil(polling, isUnmounted)
    const names = [...this.mountedVolumes(uid).keys()]
    if (failure !== undefined && names.length > 0)
      return err(`mounted volumes=[${names.toSorted().join(' ')}]: ${failure}`)
    // Those of which it is not known whether they are mounted (podVolumesExist).
    const cleanUp = { clock, cancellation, intervalMs: cleanUpIntervalMs }
    const isGone = (): boolean => this.#isStopped || this.possiblyMountedVolumes(uid).length === 0
    const canceled = await pollUntil(cleanUp, isGone)
    return canceled === undefined ? ok(undefined) : err(canceled)
  }

  /** By the volume's name in the pod; volumes that are not mounted are missing. Source: GetMountedVolumesForPod. */
  readonly mountedVolumes = (podUid: string): ReadonlyMap<string, MountedVolume> =>
    new Map(
      this.#worlds.actual
        .ofPod(podUid)
        .filter(({ state }) => state === 'mounted')
        .map(({ name, path, isReadOnly }) => [name, { path, isReadOnly }]),
    )

  /** Every volume that is to be mounted or is mounted, those that wait first. */
  all(): readonly {
    readonly pod: Pod
    readonly volume: string
    readonly plugin: string
    readonly isMounted: boolean
  }[] {
    const isMounted = (id: VolumeId): boolean => this.#worlds.actual.get(id)?.state === 'mounted'
    const waiting = [...this.#worlds.desired.all()].filter((one) => !isMounted(one))
    const mounted = [...this.#worlds.actual.all()].filter((one) => isMounted(one))
    return [
      ...waiting.map(({ pod, volume, plugin }) => ({
        pod,
        volume: volume.name,
        plugin: plugin.name,
        isMounted: false,
      })),
      ...mounted.flatMap(({ pod, name, plugin }) =>
        pod === undefined ? [] : [{ pod, volume: name, plugin: plugin.name, isMounted: true }],
      ),
    ]
  }

  /** The names of those that are mounted or may be. Source: GetPossiblyMountedVolumesForPod. */
  readonly possiblyMountedVolumes = (podUid: string): readonly string[] =>
    this.#worlds.actual
      .ofPod(podUid)
      .filter(({ state }) => state !== 'attached')
      .map(({ name }) => name)

  /** How far each volume of the pod's spec is, by name; for pages. */
  readonly progress = (pod: Pod): ReadonlyMap<string, VolumeProgress> => {
    const used = usedVolumeNames(pod)
    const reconciler = this.#reconciler
    const nextTryAt = (blockedUntil: number): number | undefined =>
      this.#reconcilerLoop.periodAfter(blockedUntil)
    return new Map(
      (pod.spec.volumes ?? []).map(({ name }) => {
        const volume = { podUid: pod.metadata.uid, name }
        const key = volumeKey(volume)
        return [
          name,
          volumeProgress({
            isUsed: used.has(name),
            isDesired: this.#worlds.desired.get(volume) !== undefined,
            actual: this.#worlds.actual.get(volume),
            pendingSince: reconciler.pendingSince(key),
            failure: reconciler.failureOf(key),
            nextTryAt,
          }),
        ]
      }),
    )
  }

  /**
   * Housekeeping: lets go of the volumes of pods that went without their last sync, and removes the folders of pods that are
   * neither known nor running. Source: pkg/kubelet/kubelet_volumes.go cleanupOrphanedPodDirs.
   */
  readonly cleanUp = async (isKnown: (podUid: string) => boolean): Promise<void> => {
    if (this.#populator.isOutdated) {
      this.#populator.checkAll()
      this.#populatorLoop.wake()
    }
    const { files, rootFolder } = this.#deps.host
    const folders = await files.list(`${rootFolder}/pods`)
    for (const uid of folders.ok ? folders.value : []) {
      if (isKnown(uid) || this.possiblyMountedVolumes(uid).length > 0) continue
      await files.remove(this.#deps.plugins.podFolder(uid))
    }
  }

  #reprocess(podUid: string, causes: TraceCauses): void {
    const dueAt = this.#populatorLoop.periodAfter(-Infinity) ?? -Infinity
    // Most syncs change no volume: then one timer is enough for the runs of both loops.
    if (this.#populator.reprocessPod(podUid, causes, dueAt)) this.#populatorLoop.wake()
    else this.#reconcilerLoop.wake(dueAt)
  }
}
