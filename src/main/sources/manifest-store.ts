import type { Pod } from '../../shared/kubernetes/objects.ts'

/** A static pod and the file that defines it. */
export interface StoredManifest {
  readonly path: string
  readonly pod: Pod
}

/** The key of the store: `<namespace>/<name>`, with the node's suffix. */
export function manifestKey(pod: Pod): string {
  return `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`
}

/**
 * The kubelet's store of static pods with its map from file to key (pkg/kubelet/config/file.go, sources#file-source), quirks
 * included: of two files with one pod the last one wins, and removing either file removes the pod.
 */
export class ManifestStore {
  readonly #byKey = new Map<string, StoredManifest>()
  readonly #keyOfFile = new Map<string, string>()

  get manifests(): readonly StoredManifest[] {
    return [...this.#byKey.values()]
  }

  /** The key of the pod that the kubelet would remove with this file. */
  keyOfFile(path: string): string | undefined {
    return this.#keyOfFile.get(path)
  }

  /** The manifests of a full scan, in its order: the last one of a key wins. */
  replace(manifests: readonly StoredManifest[]): void {
    this.#byKey.clear()
    for (const manifest of manifests) this.upsert(manifest)
  }

  upsert(manifest: StoredManifest): void {
    const key = manifestKey(manifest.pod)
    this.#byKey.set(key, manifest)
    this.#keyOfFile.set(manifest.path, key)
  }

  /** Whether a pod was removed with the file. Only then does the kubelet forget the file's key. */
  removeFile(path: string): boolean {
    const key = this.#keyOfFile.get(path)
    if (key === undefined || !this.#byKey.delete(key)) return false
    this.#keyOfFile.delete(path)
    return true
  }
}
