import { goQuote } from '../../../shared/go/text.ts'
import { tracePod } from '../pod/identity.ts'
import type { Clock, ContainerHost, EventRecorder, Log, Trace } from '../ports.ts'
import { OperationFailures } from './operation-failures.ts'
import type { OperationFailure } from './operation-failures.ts'
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
}

/**
 * Brings the actual state to the desired one: mounts and unmounts, one operation for each volume at a time.
 * Source: pkg/kubelet/volumemanager/reconciler/reconciler.go, pkg/volume/util/operationexecutor.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps
  readonly #worlds: VolumeWorlds
  readonly #operations: PendingOperations
  readonly #failures: OperationFailures

  constructor(deps: ReconcilerDeps, worlds: VolumeWorlds) {
    this.#deps = deps
    this.#worlds = worlds
    this.#operations = new PendingOperations(deps.clock)
    this.#failures = new OperationFailures(deps.clock)
  }

  /** Since when an operation of the volume is under way; undefined: none is. */
  pendingSince(key: string): number | undefined {
    return this.#operations.pendingSince(key)
  }

  /** The failures since the last success, and the last time at which it is not tried again yet. */
  failureOf(key: string): (OperationFailure & { readonly blockedUntil: number }) | undefined {
    const failure = this.#failures.get(key)
    if (failure === undefined) return undefined
    const blockedUntil = this.#operations.blockedUntil(key, failure.operation) ?? -Infinity
    return { ...failure, blockedUntil }
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
      if (state !== 'attached' || isWanted) continue
      this.#worlds.actual.delete(key)
      this.#failures.forget(key)
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
    this.#worlds.actual.set({ ...entry, needsRemount: false, causes: [] })
    return true
  }

  async #mount(toMount: VolumeToMount, before: ActualVolume): Promise<boolean> {
    const { key, pod, volume, plugin, causes } = toMount
    const { trace, recorder, host } = this.#deps
    if (before.state === 'attached') await host.beforeMount?.()
    const setUp = await plugin.setUp({ pod, volume, causes })
    if (!setUp.ok) {
      this.#failures.failed(key, 'mount', setUp.error)
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
    this.#failures.forget(key)
    const actual = this.#worlds.actual.get(key)
    if (actual === undefined) return true
    const path = plugin.pathOf(pod, volume)
    const mounted = { ...actual, pod, path, state: 'mounted', needsRemount: false } as const
    this.#worlds.actual.set({ ...mounted, ...this.#times(before, setUp.value) })
    this.#deps.mounted(pod.metadata.uid)
    const data = { volume: volume.name, plugin: plugin.name }
    if (before.state !== 'mounted') tracePod(trace, pod, 'volume.mounted', causes, data)
    else if (setUp.value) tracePod(trace, pod, 'volume.updated', causes, data)
    return true
  }

  async #unmount(volume: ActualVolume): Promise<boolean> {
    const { trace, log } = this.#deps
    const { key, podUid, pod, name, plugin, causes } = volume
    const tornDown = await plugin.tearDown(podUid, name)
    if (!tornDown.ok) {
      this.#failures.failed(key, 'unmount', tornDown.error)
      log.warn('a volume could not be unmounted', { podUid, volume: name, error: tornDown.error })
      this.#worlds.actual.set({ ...volume, state: 'uncertain', needsRemount: false })
      return false
    }
    this.#failures.forget(key)
    this.#worlds.actual.set({ ...volume, state: 'attached', needsRemount: false })
    if (pod !== undefined) tracePod(trace, pod, 'volume.unmounted', causes, { volume: name })
    return true
  }

  /** What a set-up adds to the times of a volume; `hasChanged`: files of it changed. */
  #times(
    { state }: ActualVolume,
    hasChanged: boolean,
  ): Pick<ActualVolume, 'mountedAt' | 'updatedAt'> {
    const now = this.#deps.clock.now()
    if (state !== 'mounted') return { mountedAt: now }
    return hasChanged ? { updatedAt: now } : {}
  }
}
