import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Collection } from './object-store.ts'
import { asPod } from './registry/pod/pod-strategy.ts'

/** One write of a pod. `before` is undefined for a new pod, `after` for a deleted one. */
export interface PodWrite {
  readonly before: Pod | undefined
  readonly after: Pod | undefined
}

/** The pods of the API server by UID, updated at every write. Objects are frozen. */
export class StoredPods {
  readonly #pods = new Map<string, Pod>()
  readonly #listeners: ((write: PodWrite) => void)[] = []

  constructor(collection: Pick<Collection, 'list' | 'listen'>) {
    for (const object of collection.list()) this.#pods.set(object.metadata.uid, asPod(object))
    collection.listen(({ change, object, previous }) => {
      const pod = asPod(object)
      const after = change === 'DELETED' ? undefined : pod
      const before = previous === undefined ? undefined : asPod(previous)
      if (after === undefined) this.#pods.delete(pod.metadata.uid)
      else this.#pods.set(after.metadata.uid, after)
      for (const listener of this.#listeners)
        listener({ before: before ?? (after === undefined ? pod : undefined), after })
    })
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid)
  }

  list(): IterableIterator<Pod> {
    return this.#pods.values()
  }

  /** Calls back after each write. */
  listen(listener: (write: PodWrite) => void): void {
    this.#listeners.push(listener)
  }
}
