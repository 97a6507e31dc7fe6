/**
 * Lists of what there is, made anew only when something in them is another object than the last time: the kubelet
 * asks every second, and mostly nothing has changed.
 */
export class SteadyListing<T> {
  readonly #last = new Map<string, readonly T[]>()

  /**
   * What `viewOf` shows of all that is present, in its order; what it shows nothing of is left out. The very
   * list of the last time under this name when it holds the same objects.
   */
  list<S>(name: string, present: Iterable<S>, viewOf: (item: S) => T | undefined): readonly T[] {
    const last = this.#last.get(name) ?? []
    let same = 0
    let changed: T[] | undefined
    for (const item of present) {
      const view = viewOf(item)
      if (view === undefined) continue
      if (changed === undefined && last[same] === view) {
        same++
        continue
      }
      changed ??= last.slice(0, same)
      changed.push(view)
    }
    if (changed === undefined && same === last.length) return last
    const list = changed ?? last.slice(0, same)
    this.#last.set(name, list)
    return list
  }
}
