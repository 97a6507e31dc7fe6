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
  /** Of its unmounting. */
  readonly causes: TraceCauses
}

/** Volumes by key, in the order in which they were added. */
export class VolumeState<T extends { readonly key: string }> {
  readonly #volumes = new Map<string, T>()

  all(): IterableIterator<T> {
    return this.#volumes.values()
  }

  get(key: string): T | undefined {
    return this.#volumes.get(key)
  }

  set(volume: T): void {
    this.#volumes.set(volume.key, volume)
  }

  delete(key: string): void {
    this.#volumes.delete(key)
  }
}
