import { objectsAt, textAt } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { VolumePlugins } from '../volume/volume-plugins.ts'
import type { VolumeToMount, VolumeWorlds } from './volume-states.ts'

/** What the workers say of a pod. */
export interface VolumePodStates {
  readonly shouldPodContainersBeTerminating: (uid: string) => boolean
  readonly shouldPodRuntimeBeRemoved: (uid: string) => boolean
}

export interface PopulatorDeps {
  readonly pods: {
    readonly getPods: () => readonly Pod[]
    readonly getPodByUID: (uid: string) => Pod | undefined
  }
  readonly podStates: VolumePodStates
  readonly areSourcesReady: () => boolean
  readonly plugins: Pick<VolumePlugins, 'pluginOf'>
  /** Whether another set-up of the mounted volume could begin now and would find nothing to do. */
  readonly isUpToDate: (volume: VolumeToMount) => boolean
}

/** The volumes that the containers of a pod mount or use as devices. Source: pkg/volume/util GetPodVolumeNames. */
export function usedVolumeNames(pod: Pod): ReadonlySet<string> {
  const names = new Set<string>()
  for (const container of allContainers(pod))
    for (const field of ['volumeMounts', 'volumeDevices'])
      for (const mount of objectsAt(container, field)) names.add(textAt(mount, 'name'))
  return names
}

interface Unprocessed {
  /** What led to the last sync. */
  readonly causes: TraceCauses
  /** For `runUntil`: when the period begins at which a run would process the pod. */
  readonly dueAt?: number
}

/**
 * Fills the desired state with the volumes of pods whose containers may run.
 * Source: pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go.
 */
export class Populator {
  readonly #deps: PopulatorDeps
  readonly #worlds: VolumeWorlds
  /** By UID, until the pod is processed. */
  readonly #unprocessed = new Map<string, Unprocessed>()
  readonly #processed = new Set<string>()
  #hasAddedPods = false
  /** Whether the next run looks at all pods. */
  #checksAll = true

  constructor(deps: PopulatorDeps, worlds: VolumeWorlds) {
    this.#deps = deps
    this.#worlds = worlds
  }

  /** Whether the desired state has had all pods once: until then nothing is unmounted. */
  get hasAddedPods(): boolean {
    return this.#hasAddedPods
  }

  /**
   * The run at `dueAt` looks at the pod's volumes again. False if it will change no desired state and nothing waits for it: the pod
   * is the one that was processed last, and its volumes are mounted. Then `runUntil` can do it later.
   */
  reprocessPod(uid: string, causes: TraceCauses, dueAt: number): boolean {
    const isKnown = this.#processed.delete(uid)
    const canWait = isKnown && this.#isSettled(uid)
    this.#unprocessed.set(uid, canWait ? { causes, dueAt } : { causes })
    return !canWait
  }

  /** The next run looks at all pods, not only at those that were synced. */
  checkAll(): void {
    this.#checksAll = true
  }

  /** Whether a run may find something to do apart from `reprocessPod`. */
  get isOutdated(): boolean {
    if (!this.#hasAddedPods || this.#deps.pods.getPods().some((pod) => this.#isToAdd(pod)))
      return true
    for (const uid of this.#worlds.desired.pods()) if (this.#isRemoved(uid)) return true
    for (const uid of this.#processed) if (this.#isOrphan(uid)) return true
    for (const uid of this.#unprocessed.keys()) if (this.#isOrphan(uid)) return true
    return false
  }

  run(): void {
    const isReady = this.#deps.areSourcesReady()
    const checksAll = this.#checksAll || !this.#hasAddedPods
    this.#checksAll = false
    this.#runFor(checksAll ? undefined : [...this.#unprocessed.keys()])
    if (isReady) this.#hasAddedPods = true
  }

  /** For these, or for all. */
  #runFor(uids?: readonly string[]): void {
    for (const pod of this.#podsToAdd(uids)) this.#processPod(pod)
    this.#removePods(uids ?? [...this.#worlds.desired.pods()])
    const known = uids ?? [...this.#processed, ...this.#unprocessed.keys()]
    for (const uid of known) if (this.#isOrphan(uid)) this.#forget(uid)
  }

  /** Whether all volumes of the pod are mounted, for the pod as it is now. */
  #isSettled(uid: string): boolean {
    const pod = this.#deps.pods.getPodByUID(uid)
    if (pod === undefined || !this.#hasAddedPods || this.#checksAll) return false
    if (this.#deps.podStates.shouldPodContainersBeTerminating(uid)) return false
    return this.#worlds.desired
      .ofPod(uid)
      .every((volume) => volume.pod === pod && this.#worlds.actual.get(volume)?.state === 'mounted')
  }

  /** Whether a run would change nothing of the pod and its volumes, which is nearly always so after a sync. */
  #isUpToDate(uid: string): boolean {
    const volumes = this.#worlds.desired.ofPod(uid)
    // Without any, it is not known whether the pod as it is now was processed.
    if (volumes.length === 0 || !this.#isSettled(uid)) return false
    return volumes.every((volume) => {
      const actual = this.#worlds.actual.get(volume)
      const isAsBefore = actual?.pod === volume.pod && !actual.needsRemount
      return isAsBefore && (!volume.plugin.requiresRemount || this.#deps.isUpToDate(volume))
    })
  }

  /** What the runs until then left out. Returns when the first that is left is due. */
  runUntil(now: number): number | undefined {
    let next: number | undefined
    const synced: string[] = []
    for (const [uid, { dueAt }] of this.#unprocessed)
      if (dueAt === undefined) continue
      else if (dueAt > now) next = Math.min(next ?? dueAt, dueAt)
      else if (this.#isUpToDate(uid)) this.#setProcessed(uid)
      else synced.push(uid)
    if (synced.length > 0) this.#runFor(synced)
    return next
  }

  /** Of these, or of all. */
  #podsToAdd(uids?: readonly string[]): readonly Pod[] {
    const { pods } = this.#deps
    const candidates = uids?.flatMap((uid) => pods.getPodByUID(uid) ?? []) ?? pods.getPods()
    return candidates.filter((pod) => this.#isToAdd(pod))
  }

  #isToAdd({ metadata: { uid } }: Pod): boolean {
    if (this.#processed.has(uid)) return false
    const { podStates } = this.#deps
    return this.#hasAddedPods
      ? !podStates.shouldPodContainersBeTerminating(uid)
      : !podStates.shouldPodRuntimeBeRemoved(uid)
  }

  #processPod(pod: Pod): void {
    const { uid } = pod.metadata
    const used = usedVolumeNames(pod)
    const causes = this.#unprocessed.get(uid)?.causes ?? []
    for (const volume of pod.spec.volumes ?? []) {
      const { name } = volume
      const plugin = this.#deps.plugins.pluginOf(volume)
      if (used.has(name))
        this.#worlds.desired.set({ podUid: uid, name, pod, volume, plugin, causes })
      const actual = this.#worlds.actual.get({ podUid: uid, name })
      if (actual !== undefined && actual.state !== 'attached' && plugin.requiresRemount)
        this.#worlds.actual.set({ ...actual, needsRemount: true })
    }
    this.#setProcessed(uid)
  }

  #setProcessed(uid: string): void {
    this.#unprocessed.delete(uid)
    this.#processed.add(uid)
  }

  #removePods(uids: readonly string[]): void {
    const removed = uids.filter((uid) => this.#isRemoved(uid) && this.#removeVolumes(uid))
    for (const uid of removed) this.#forget(uid)
  }

  /** Whether there was any to remove. */
  #removeVolumes(uid: string): boolean {
    const causes = this.#unprocessed.get(uid)?.causes ?? []
    const isKnown = this.#deps.pods.getPodByUID(uid) !== undefined
    let isAny = false
    for (const volume of this.#worlds.desired.ofPod(uid)) {
      const actual = this.#worlds.actual.get(volume)
      const isMounted = actual !== undefined && actual.state !== 'attached'
      // One that was never mounted stays while the pod is known: its mount may be under way.
      if (!isMounted && isKnown) continue
      this.#worlds.desired.delete(volume)
      isAny = true
      if (isMounted) this.#worlds.actual.set({ ...actual, causes })
    }
    return isAny
  }

  /** Of one that the populator knows: whether it is gone. */
  #isOrphan(uid: string): boolean {
    return this.#deps.pods.getPodByUID(uid) === undefined && this.#isRemoved(uid)
  }

  #isRemoved(uid: string): boolean {
    return this.#deps.podStates.shouldPodRuntimeBeRemoved(uid)
  }

  #forget(uid: string): void {
    this.#processed.delete(uid)
    this.#unprocessed.delete(uid)
  }
}
