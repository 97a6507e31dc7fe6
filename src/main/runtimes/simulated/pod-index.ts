/** What belongs to each pod, in the order it came, so that one pod is listed without looking at a thousand others. */
export class PodIndex<T> {
  /** Lists of one or two: made anew at each change, they take no more room than they need. */
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
