import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { tracePod } from '../pod/identity.ts'
import type { Clock, ContainerHost, EventRecorder, Log, Trace } from '../ports.ts'
import type { PodVolume } from '../volume/volume-plugins.ts'
import { PendingOperations } from './pending-operations.ts'
import type { VolumeOperation } from './pending-operations.ts'
import type { ActualVolume, VolumeToMount, VolumeWorlds } from './volume-states.ts'

interface ReconcilerDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly trace: Trace
  readonly log: Log
  readonly recorder: EventRecorder
  readonly host: Pick<ContainerHost, 'beforeMount'>
  /** Nothing is unmounted before. */
  readonly mayUnmount: () => boolean
  /** Something will be to do after this time; without one, at the next period. */
  readonly wake: (notBefore?: number) => void
  readonly mounted: (podUid: string) => void
  /** The trace events by which the objects arrived that a volume is made of. */
  readonly objectCauses: (pod: Pod, volume: PodVolume) => TraceCauses
}

/**
 * Brings the actual state to the desired one: mounts and unmounts, one operation for each volume at a time.
 * Source: pkg/kubelet/volumemanager/reconciler/reconciler.go, pkg/volume/util/operationexecutor.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps
  readonly #worlds: VolumeWorlds
  readonly #operations: PendingOperations

  constructor(deps: ReconcilerDeps, worlds: VolumeWorlds) {
    this.#deps = deps
    this.#worlds = worlds
    this.#operations = new PendingOperations(deps.clock)
  }

  run(): void {
    const mayUnmount = this.#deps.mayUnmount()
    // Before the mounts, so that nothing is mounted twice.
    if (mayUnmount)
      for (const volume of this.#worlds.actual.all())
        if (volume.state !== 'attached' && this.#worlds.desired.get(volume.key) === undefined)
          this.#start(volume.key, 'unmount', () => this.#unmount(volume))
    for (const volume of this.#worlds.desired.all()) {
      const actual = this.#worlds.actual.get(volume.key)
      if (actual === undefined) this.#start(volume.key, 'attach', () => this.#attach(volume))
      else if (actual.state !== 'mounted' || actual.needsRemount)
        this.#start(volume.key, 'mount', () => this.#mount(volume, actual))
    }
    if (!mayUnmount) return
    for (const { key, state } of this.#worlds.actual.all()) {
      const isWanted =
        this.#worlds.desired.get(key) !== undefined || this.#operations.isPending(key)
      if (state === 'attached' && !isWanted) this.#worlds.actual.delete(key)
    }
  }

  /** Not while an operation of the volume is under way, or before its delay is over. */
  #start(key: string, kind: VolumeOperation, work: () => Promise<boolean>): void {
    if (this.#operations.isPending(key)) return
    const blockedUntil = this.#operations.blockedUntil(key, kind)
    if (blockedUntil !== undefined) {
      this.#deps.wake(blockedUntil)
      return
    }
    const run = async (): Promise<void> => {
      await this.#operations.run(key, kind, work)
      // Not only after its delay: another operation of the volume needs none.
      this.#deps.wake()
    }
    void run()
  }

  /** Nothing is attached here, but it takes a run, as for every volume. */
  async #attach({ key, pod, volume, plugin }: VolumeToMount): Promise<boolean> {
    const { uid: podUid } = pod.metadata
    const { isReadOnly } = plugin
    const path = plugin.pathOf(pod, volume)
    const state = 'attached'
    const entry = { key, podUid, pod, name: volume.name, plugin, state, path, isReadOnly } as const
    this.#worlds.actual.set({ ...entry, needsRemount: false, causes: [], mountedBy: [] })
    return true
  }

  async #mount(toMount: VolumeToMount, before: ActualVolume): Promise<boolean> {
    const { key, pod, volume, plugin, causes } = toMount
    const { trace, recorder, host } = this.#deps
    if (before.state === 'attached') await host.beforeMount?.()
    const setUp = await plugin.setUp({ pod, volume, causes })
    if (!setUp.ok) {
      const message = `MountVolume.SetUp failed for volume ${goQuote(volume.name)} : ${setUp.error}`
      const data = { volume: volume.name, message: setUp.error }
      const seq = tracePod(trace, pod, 'volume.failed', causes, data)
      recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedMount', message, [seq])
      // One that was found on the node stays uncertain (markVolumeErrorState).
      const failed = this.#worlds.actual.get(key)
      if (failed?.state === 'uncertain' && failed.pod !== undefined)
        this.#worlds.actual.set({ ...failed, state: 'attached' })
      return false
    }
    const actual = this.#worlds.actual.get(key)
    if (actual === undefined) return true
    const path = plugin.pathOf(pod, volume)
    const mountedBy = this.#traceMount(toMount, before, setUp.value)
    const mounted = { pod, path, state: 'mounted', needsRemount: false, mountedBy } as const
    this.#worlds.actual.set({ ...actual, ...mounted })
    this.#deps.mounted(pod.metadata.uid)
    return true
  }

  #traceMount(
    { pod, volume, plugin, causes }: VolumeToMount,
    { state, mountedBy }: ActualVolume,
    hasChanged: boolean,
  ): TraceCauses {
    const { trace, objectCauses } = this.#deps
    const data = { volume: volume.name, plugin: plugin.name }
    const isFirst = state !== 'mounted'
    if (!isFirst && !hasChanged) return mountedBy
    const kind = isFirst ? 'volume.mounted' : 'volume.updated'
    const seq = tracePod(trace, pod, kind, [...causes, ...objectCauses(pod, volume)], data)
    return isFirst ? [seq] : mountedBy
  }

  async #unmount(volume: ActualVolume): Promise<boolean> {
    const { trace, log } = this.#deps
    const { podUid, pod, name, plugin, causes } = volume
    const tornDown = await plugin.tearDown(podUid, name)
    if (!tornDown.ok) {
      log.warn('a volume could not be unmounted', { podUid, volume: name, error: tornDown.error })
      this.#worlds.actual.set({ ...volume, state: 'uncertain', needsRemount: false })
      return false
    }
    this.#worlds.actual.set({ ...volume, state: 'attached', needsRemount: false })
    if (pod !== undefined) tracePod(trace, pod, 'volume.unmounted', causes, { volume: name })
    return true
  }
}
