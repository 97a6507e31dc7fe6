import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { ShortLists } from '../../../shared/short-lists.ts'
import type { PodVolume, VolumePlugin } from '../volume/volume-plugins.ts'

/** Names a volume of a pod; no volume here is shared by pods. Source: GetUniqueVolumeNameFromSpecWithPod. */
export interface VolumeId {
  readonly podUid: string
  /** In the pod. */
  readonly name: string
}

export function volumeKey({ podUid, name }: VolumeId): string {
  return `${podUid}/${name}`
}

/** A volume that a pod is to have (desired_state_of_world.go VolumeToMount). */
export interface VolumeToMount extends VolumeId {
  readonly pod: Pod
  readonly volume: PodVolume
  readonly plugin: VolumePlugin
  /** What led to the sync that asked for it last. */
  readonly causes: TraceCauses
}

/** A volume of a pod that the node knows (actual_state_of_world.go). */
export interface ActualVolume extends VolumeId {
  /** Undefined: found on the node when the kubelet started. */
  readonly pod: Pod | undefined
  readonly plugin: VolumePlugin
  /** `uncertain`: found on the node when the kubelet started, or its unmounting failed. */
  readonly state: 'attached' | 'mounted' | 'uncertain'
  /** On the node, once it is mounted. */
  readonly path: string
  readonly isReadOnly: boolean
  /** Its files may have to change. */
  readonly needsRemount: boolean
  /** When this kubelet mounted it; undefined: it has not. */
  readonly mountedAt: number | undefined
  /** When a later set-up changed its files last. */
  readonly updatedAt: number | undefined
  /** Of its unmounting. */
  readonly causes: TraceCauses
  /** The trace event of its first mount by this kubelet. */
  readonly mountedBy: TraceSeq | undefined
}

/** The volumes of pods, in the order in which they were added. */
class VolumeState<T extends VolumeId> {
  /** By UID. */
  readonly #byPod = new ShortLists<T>()
  readonly #changedPods: Set<string>

  /** The UID of each pod whose volumes change is added to the set. */
  constructor(changedPods: Set<string>) {
    this.#changedPods = changedPods
  }

  /** UIDs. */
  pods(): Iterable<string> {
    return this.#byPod.keys()
  }

  *all(): Iterable<T> {
    for (const podUid of this.#byPod.keys()) yield* this.#byPod.get(podUid)
  }

  ofPod(podUid: string): readonly T[] {
    return this.#byPod.get(podUid)
  }

  get({ podUid, name }: VolumeId): T | undefined {
    return this.ofPod(podUid).find((volume) => volume.name === name)
  }

  set(volume: T): void {
    const { podUid, name } = volume
    const volumes = this.ofPod(podUid)
    this.#changedPods.add(podUid)
    const at = volumes.findIndex((other) => other.name === name)
    this.#byPod.set(podUid, at === -1 ? volumes.concat([volume]) : volumes.with(at, volume))
  }

  delete({ podUid, name }: VolumeId): void {
    const rest = this.ofPod(podUid).filter((volume) => volume.name !== name)
    this.#changedPods.add(podUid)
    this.#byPod.set(podUid, rest)
  }
}

/** Volumes are written out: V8 keeps what a spread copies in two objects. */
class ActualVolumes extends VolumeState<ActualVolume> {
  override set(volume: ActualVolume): void {
    super.set({
      podUid: volume.podUid,
      name: volume.name,
      pod: volume.pod,
      plugin: volume.plugin,
      state: volume.state,
      path: volume.path,
      isReadOnly: volume.isReadOnly,
      needsRemount: volume.needsRemount,
      mountedAt: volume.mountedAt,
      updatedAt: volume.updatedAt,
      causes: volume.causes,
      mountedBy: volume.mountedBy,
    })
  }
}

/** The volumes that there are to be, and those that there are (pkg/kubelet/volumemanager/cache). */
export class VolumeWorlds {
  /** UIDs of the pods that the reconciler has to look at. */
  readonly changedPods = new Set<string>()
  readonly desired = new VolumeState<VolumeToMount>(this.changedPods)
  readonly actual = new ActualVolumes(this.changedPods)
}
