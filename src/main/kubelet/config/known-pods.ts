import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { fullNameOf } from '../pod/identity.ts'
import type { PodFullName } from '../pod/identity.ts'

/** A pod as the source last gave it, and as it was merged. */
interface KnownPod {
  readonly given: Pod
  readonly pod: Pod
}

interface Entry extends KnownPod {
  /** The last snapshot that it was in. */
  snapshot: number
  /** The snapshot that brought its uid. */
  readonly since: number
}

/**
 * What one source's last snapshot held, by uid. A source of a thousand pods repeats all but one of them at every
 * change, as the same objects: those cost one look-up each and no new object.
 */
export class KnownPods {
  readonly #pods = new Map<string, Entry>()
  readonly #uids = new Map<PodFullName, string>()
  /** The pods of the last snapshot in its order, as far as they are still known: most have the same place in the next one. */
  #order: (Entry | undefined)[] = []
  #snapshot = 0
  /** How many pods are in the present snapshot. */
  #present = 0
  #hasDuplicateUids = false

  get size(): number {
    return this.#pods.size
  }

  /** Whether the present snapshot brought several pods of one uid: manifests can name their own. */
  get hasDuplicateUids(): boolean {
    return this.#hasDuplicateUids
  }

  get(uid: string): KnownPod | undefined {
    return this.#pods.get(uid)
  }

  /** The pod that a pod of the present snapshot is compared with: none for a uid that this snapshot brought. */
  existing(uid: string): Pod | undefined {
    const entry = this.#pods.get(uid)
    return entry?.since === this.#snapshot ? undefined : entry?.pod
  }

  /** Begins the next snapshot. Returns what is not the very object that was given before, in order. */
  takeSnapshot<T extends { readonly pod: Pod }>(given: readonly T[]): readonly T[] {
    const snapshot = ++this.#snapshot
    this.#present = 0
    this.#hasDuplicateUids = false
    this.#order.length = given.length
    const others = given.filter(({ pod }, index) => {
      let entry = this.#order[index]
      if (entry?.given !== pod || entry.snapshot !== snapshot - 1) {
        entry = this.#pods.get(pod.metadata.uid)
        this.#order[index] = entry
      }
      if (entry?.given !== pod || entry.snapshot === snapshot) return true
      entry.snapshot = snapshot
      this.#present++
      return false
    })
    const isTaken = (uid: string): boolean => this.#pods.get(uid)?.snapshot === snapshot
    if (!others.some(({ pod }) => isTaken(pod.metadata.uid))) return others
    // Two pods have one uid: each is merged into the result of the one before it, so all are returned.
    for (const { pod } of given) {
      const entry = this.#pods.get(pod.metadata.uid)
      if (entry !== undefined) entry.snapshot = 0
    }
    this.#present = 0
    return given
  }

  /** The pod of the present snapshot that has the name, as far as it has been taken. */
  holderOf(name: PodFullName): KnownPod | undefined {
    const entry = this.#pods.get(this.#uids.get(name) ?? '')
    return entry?.snapshot === this.#snapshot ? entry : undefined
  }

  /** Counts a pod of the present snapshot as missing from it. */
  exclude({ given }: KnownPod): void {
    const entry = this.#pods.get(given.metadata.uid)
    if (entry?.snapshot !== this.#snapshot) return
    entry.snapshot = 0
    this.#present--
  }

  /** A pod that the present snapshot brought, or changed. */
  put(given: Pod, pod: Pod): void {
    const { uid } = given.metadata
    const before = this.#pods.get(uid)
    if (before?.snapshot === this.#snapshot) this.#hasDuplicateUids = true
    else this.#present++
    if (before !== undefined) {
      before.snapshot = 0
      this.#forgetName(before)
    }
    const since = before?.since ?? this.#snapshot
    this.#pods.set(uid, { given, pod, snapshot: this.#snapshot, since })
    this.#uids.set(fullNameOf(given), uid)
  }

  /** Forgets and returns the pods that the present snapshot did not hold. */
  removeMissing(): readonly KnownPod[] {
    if (this.#present === this.#pods.size) return []
    const missing = [...this.#pods.values()].filter(({ snapshot }) => snapshot !== this.#snapshot)
    for (const entry of missing) {
      this.#pods.delete(entry.given.metadata.uid)
      this.#forgetName(entry)
    }
    return missing
  }

  #forgetName({ given }: KnownPod): void {
    const name = fullNameOf(given)
    if (this.#uids.get(name) === given.metadata.uid) this.#uids.delete(name)
  }
}
