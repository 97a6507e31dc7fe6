import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'

/** A controller's own copy of objects, which has its writes before the informer has them. Source: storeObjectUpdate. */
export class ObjectCache {
  readonly #objects = new Map<string, KubeObject>()

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key)
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()]
  }

  /** False if the cache has a newer version. */
  store(object: KubeObject): boolean {
    const key = objectKey(object.metadata)
    const before = this.#objects.get(key)
    if (before !== undefined && versionOf(before) > versionOf(object)) return false
    this.#objects.set(key, object)
    return true
  }

  delete(key: string): void {
    this.#objects.delete(key)
  }
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion)
}
