import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodVolume, VolumePlugin } from '../volume/volume-plugins.ts'

/** Names a volume of a pod; no volume here is shared by pods. Source: GetUniqueVolumeNameFromSpecWithPod. */
export function volumeKey(podUid: string, name: string): string {
  return `${podUid}/${name}`
}

/** A volume that a pod is to have (desired_state_of_world.go VolumeToMount). */
export interface VolumeToMount {
  readonly key: string
  readonly pod: Pod
  readonly volume: PodVolume
  readonly plugin: VolumePlugin
  /** What led to the sync that asked for it last. */
  readonly causes: TraceCauses
}

/** A volume of a pod that the node knows (actual_state_of_world.go). */
export interface ActualVolume {
  readonly key: string
  readonly podUid: string
  /** Undefined: found on the node when the kubelet started. */
  readonly pod: Pod | undefined
  readonly name: string
  readonly plugin: VolumePlugin
  /** `uncertain`: found on the node when the kubelet started, or its unmounting failed. */
  readonly state: 'attached' | 'mounted' | 'uncertain'
  /** On the node, once it is mounted. */
  readonly path: string
  readonly isReadOnly: boolean
  /** Its files may have to change. */
  readonly needsRemount: boolean
  /** When this kubelet mounted it; undefined: it has not. */
  readonly mountedAt?: number
  /** When a later set-up changed its files last. */
  readonly updatedAt?: number
  /** Of its unmounting. */
  readonly causes: TraceCauses
}

/** Volumes by key, in the order in which they were added, and of each pod. */
export class VolumeState<T extends { readonly key: string }> {
  readonly #volumes = new Map<string, T>()
  readonly #keysOfPods = new Map<string, Set<string>>()

  all(): IterableIterator<T> {
    return this.#volumes.values()
  }

  ofPod(podUid: string): readonly T[] {
    return [...(this.#keysOfPods.get(podUid) ?? [])].flatMap((key) => this.#volumes.get(key) ?? [])
  }

  get(key: string): T | undefined {
    return this.#volumes.get(key)
  }

  set(volume: T): void {
    const { key } = volume
    const podUid = podUidOf(key)
    const keys = this.#keysOfPods.get(podUid)
    if (keys === undefined) this.#keysOfPods.set(podUid, new Set([key]))
    else keys.add(key)
    this.#volumes.set(key, volume)
  }

  delete(key: string): void {
    const podUid = podUidOf(key)
    const keys = this.#keysOfPods.get(podUid)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOfPods.delete(podUid)
    this.#volumes.delete(key)
  }
}

/** The volumes that there are to be, and those that there are (pkg/kubelet/volumemanager/cache). */
export interface VolumeWorlds {
  readonly desired: VolumeState<VolumeToMount>
  readonly actual: VolumeState<ActualVolume>
}

/** Of a key of `volumeKey`. */
function podUidOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}
