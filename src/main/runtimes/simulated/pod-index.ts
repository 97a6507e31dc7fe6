/** What belongs to each pod, in the order it came, so that one pod is listed without looking at a thousand others. */
export class PodIndex<T> {
  readonly #byPod = new Map<string, Set<T>>()

  add(podUid: string, item: T): void {
    const items = this.#byPod.get(podUid)
    if (items === undefined) this.#byPod.set(podUid, new Set([item]))
    else items.add(item)
  }

  delete(podUid: string, item: T): void {
    const items = this.#byPod.get(podUid)
    if (items === undefined) return
    items.delete(item)
    if (items.size === 0) this.#byPod.delete(podUid)
  }

  of(podUid: string): Iterable<T> {
    return this.#byPod.get(podUid) ?? []
  }
}
