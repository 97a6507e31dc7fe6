import { ShortLists } from '../../../shared/short-lists.ts'

/** Items by pod, in the order of their creation, so that listing one pod does not scan all of them. */
export class PodIndex<T extends object> {
  readonly #byPod = new ShortLists<T>()

  add(podUid: string, item: T): void {
    const items = this.#byPod.get(podUid)
    if (!items.includes(item)) this.#byPod.set(podUid, items.concat([item]))
  }

  delete(podUid: string, item: T): void {
    const rest = this.#byPod.get(podUid).filter((one) => one !== item)
    this.#byPod.set(podUid, rest)
  }

  of(podUid: string): Iterable<T> {
    return this.#byPod.get(podUid)
  }
}
