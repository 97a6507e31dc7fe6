import type { Pod } from '../../shared/kubernetes/objects.ts'

/** A static pod and the file that defines it. */
export interface StoredManifest {
  readonly path: string
  readonly pod: Pod
}

/** `<namespace>/<name>`, with the node's suffix: what the store is keyed by. */
export function manifestKey(pod: Pod): string {
  return `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`
}

/**
 * The kubelet's store of static pods with its remembered file → key map (pkg/kubelet/config/file.go,
 * sources#file-source), quirks included: of two files with one pod the last written here wins, and
 * removing either file removes the pod, whoever defined it.
 */
export class ManifestStore {
  readonly #byKey = new Map<string, StoredManifest>()
  readonly #keyOfFile = new Map<string, string>()

  get manifests(): readonly StoredManifest[] {
    return [...this.#byKey.values()]
  }

  /** The pod that the kubelet would remove with this file. */
  keyOfFile(path: string): string | undefined {
    return this.#keyOfFile.get(path)
  }

  /** All that a relist found, in its order: the last of one key wins. */
  replace(manifests: readonly StoredManifest[]): void {
    this.#byKey.clear()
    for (const manifest of manifests) this.upsert(manifest)
  }

  upsert(manifest: StoredManifest): void {
    const key = manifestKey(manifest.pod)
    this.#byKey.set(key, manifest)
    this.#keyOfFile.set(manifest.path, key)
  }

  /** True when a pod went with the file. The kubelet forgets the file only then: its key is good for another time. */
  removeFile(path: string): boolean {
    const key = this.#keyOfFile.get(path)
    if (key === undefined || !this.#byKey.delete(key)) return false
    this.#keyOfFile.delete(path)
    return true
  }
}
