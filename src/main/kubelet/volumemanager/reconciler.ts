import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { tracePod } from '../pod/identity.ts'
import type { Clock, ContainerHost, EventRecorder, Log, Trace } from '../ports.ts'
import type { PodVolume } from '../volume/volume-plugins.ts'
import { OperationFailures } from './operation-failures.ts'
import type { OperationFailure } from './operation-failures.ts'
import { PendingOperations } from './pending-operations.ts'
import type { VolumeOperation } from './pending-operations.ts'
import { volumeKey } from './volume-states.ts'
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

const noCauses: TraceCauses = []

/**
 * Brings the actual state to the desired one: mounts and unmounts, one operation for each volume at a time.
 * Source: pkg/kubelet/volumemanager/reconciler/reconciler.go, pkg/volume/util/operationexecutor.
 */
export class Reconciler {
  readonly #deps: ReconcilerDeps
  readonly #worlds: VolumeWorlds
  readonly #operations: PendingOperations
  /** Whether it was allowed to unmount when it last ran. */
  #hasUnmounted = false
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

  /** Looks at the pods whose volumes changed: a run costs nothing for the others. */
  run(): void {
    const mayUnmount = this.#deps.mayUnmount()
    const { changedPods, actual } = this.#worlds
    if (mayUnmount && !this.#hasUnmounted) for (const uid of actual.pods()) changedPods.add(uid)
    this.#hasUnmounted = mayUnmount
    const uids = [...changedPods]
    changedPods.clear()
    // Before the mounts, so that nothing is mounted twice.
    if (mayUnmount) for (const uid of uids) this.#unmountUnwanted(uid)
    for (const uid of uids) this.#mountWanted(uid)
    if (mayUnmount) for (const uid of uids) this.#detachUnwanted(uid)
  }

  #unmountUnwanted(podUid: string): void {
    for (const volume of this.#worlds.actual.ofPod(podUid))
      if (volume.state !== 'attached' && this.#worlds.desired.get(volume) === undefined)
        this.#start(volume, 'unmount', () => this.#unmount(volume))
  }

  #mountWanted(podUid: string): void {
    for (const volume of this.#worlds.desired.ofPod(podUid)) {
      const actual = this.#worlds.actual.get(volume)
      if (actual === undefined) this.#start(volume, 'attach', () => this.#attach(volume))
      else if (this.#isRemounted(volume, actual)) continue
      else if (actual.state !== 'mounted' || actual.needsRemount)
        this.#start(volume, 'mount', () => this.#mount(volume, actual))
    }
  }

  /** Whether another set-up of the mounted volume could begin now and would find nothing to do. */
  isUpToDate(volume: VolumeToMount): boolean {
    const key = volumeKey(volume)
    const mayStart =
      !this.#operations.isPending(key) && this.#operations.blockedUntil(key, 'mount') === undefined
    return mayStart && volume.plugin.isUpToDate?.(volume) === true
  }

  /** Whether the volume needed a set-up that finds nothing to do: then it counts as done without an operation. */
  #isRemounted(toMount: VolumeToMount, actual: ActualVolume): boolean {
    if (actual.state !== 'mounted' || !actual.needsRemount) return false
    const { pod } = toMount
    const key = volumeKey(toMount)
    if (!this.isUpToDate(toMount)) return false
    this.#operations.succeeded(key)
    this.#failures.forget(key)
    this.#worlds.actual.set({ ...actual, pod, needsRemount: false })
    this.#deps.mounted(pod.metadata.uid)
    return true
  }

  #detachUnwanted(podUid: string): void {
    for (const volume of this.#worlds.actual.ofPod(podUid)) {
      if (volume.state !== 'attached') continue
      const isWanted =
        this.#worlds.desired.get(volume) !== undefined ||
        this.#operations.isPending(volumeKey(volume))
      if (isWanted) continue
      this.#worlds.actual.delete(volume)
      this.#failures.forget(volumeKey(volume))
    }
  }

  /** Not while an operation of the volume is under way, or before its delay is over. */
  #start(
    volume: VolumeToMount | ActualVolume,
    kind: VolumeOperation,
    work: () => Promise<boolean>,
  ): void {
    const key = volumeKey(volume)
    if (this.#operations.isPending(key)) return
    const blockedUntil = this.#operations.blockedUntil(key, kind)
    if (blockedUntil !== undefined) {
      this.#worlds.changedPods.add(volume.podUid)
      this.#deps.wake(blockedUntil)
      return
    }
    const run = async (): Promise<void> => {
      await this.#operations.run(key, kind, work)
      this.#worlds.changedPods.add(volume.podUid)
      // Not only after its delay: another operation of the volume needs none.
      this.#deps.wake()
    }
    void run()
  }

  /** Nothing is attached here, but it takes a run, as for every volume. */
  async #attach({ podUid, name, pod, volume, plugin }: VolumeToMount): Promise<boolean> {
    const { isReadOnly } = plugin
    const path = plugin.pathOf(pod, volume)
    const [state, needsRemount] = ['attached', false] as const
    this.#worlds.actual.set({
      podUid,
      name,
      pod,
      plugin,
      state,
      path,
      isReadOnly,
      needsRemount,
      causes: noCauses,
      mountedBy: undefined,
      mountedAt: undefined,
      updatedAt: undefined,
    })
    return true
  }

  async #mount(toMount: VolumeToMount, before: ActualVolume): Promise<boolean> {
    const { pod, volume, plugin, causes } = toMount
    const { trace, recorder, host } = this.#deps
    if (before.state === 'attached') await host.beforeMount?.()
    const setUp = await plugin.setUp({ pod, volume, causes })
    if (!setUp.ok) {
      this.#failures.failed(volumeKey(toMount), 'mount', setUp.error)
      const message = `MountVolume.SetUp failed for volume ${goQuote(volume.name)} : ${setUp.error}`
      const data = { volume: volume.name, message: setUp.error }
      const seq = tracePod(trace, pod, 'volume.failed', causes, data)
      recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedMount', message, [seq])
      // One that was found on the node stays uncertain (markVolumeErrorState).
      const failed = this.#worlds.actual.get(toMount)
      if (failed?.state === 'uncertain' && failed.pod !== undefined)
        this.#worlds.actual.set({ ...failed, state: 'attached' })
      return false
    }
    this.#failures.forget(volumeKey(toMount))
    const actual = this.#worlds.actual.get(toMount)
    if (actual === undefined) return true
    const found = plugin.pathOf(pod, volume)
    // The same text object where it can be: containers that mount it have it too.
    const path = found === actual.path ? actual.path : found
    const isFirst = before.state !== 'mounted'
    const isUpdate = !isFirst && setUp.value
    const seq = isFirst || isUpdate ? this.#traceMount(toMount, isFirst) : undefined
    const now = this.#deps.clock.now()
    this.#worlds.actual.set({
      ...actual,
      pod,
      state: 'mounted',
      path,
      needsRemount: false,
      mountedBy: isFirst ? seq : before.mountedBy,
      mountedAt: isFirst ? now : actual.mountedAt,
      updatedAt: isUpdate ? now : actual.updatedAt,
    })
    this.#deps.mounted(pod.metadata.uid)
    return true
  }

  #traceMount({ pod, volume, plugin, causes }: VolumeToMount, isFirst: boolean): TraceSeq {
    const { trace, objectCauses } = this.#deps
    const data = { volume: volume.name, plugin: plugin.name }
    const kind = isFirst ? 'volume.mounted' : 'volume.updated'
    return tracePod(trace, pod, kind, [...causes, ...objectCauses(pod, volume)], data)
  }

  async #unmount(volume: ActualVolume): Promise<boolean> {
    const { trace, log } = this.#deps
    const { podUid, pod, name, plugin, causes } = volume
    const tornDown = await plugin.tearDown(podUid, name)
    if (!tornDown.ok) {
      this.#failures.failed(volumeKey(volume), 'unmount', tornDown.error)
      log.warn('a volume could not be unmounted', { podUid, volume: name, error: tornDown.error })
      this.#worlds.actual.set({ ...volume, state: 'uncertain', needsRemount: false })
      return false
    }
    this.#failures.forget(volumeKey(volume))
    this.#worlds.actual.set({ ...volume, state: 'attached', needsRemount: false })
    if (pod !== undefined) tracePod(trace, pod, 'volume.unmounted', causes, { volume: name })
    return true
  }
}
