/** Items by pod, in the order of their creation, so that listing one pod does not scan all of them. */
export class PodIndex<T> {
  /** Short lists, replaced at each change: they have no spare capacity. */
  readonly #byPod = new Map<string, readonly T[]>()

  add(podUid: string, item: T): void {
    const items = this.#byPod.get(podUid) ?? []
    if (!items.includes(item)) this.#byPod.set(podUid, items.concat([item]))
  }

  delete(podUid: string, item: T): void {
    const items = this.#byPod.get(podUid)
    if (items === undefined) return
    const rest = items.filter((one) => one !== item)
    if (rest.length === 0) this.#byPod.delete(podUid)
    else this.#byPod.set(podUid, rest)
  }

  of(podUid: string): Iterable<T> {
    return this.#byPod.get(podUid) ?? []
  }
}
