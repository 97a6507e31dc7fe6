/**
 * Lists that are rebuilt only if an element has changed: the kubelet lists every second, and usually nothing has
 * changed.
 */
export class CachedListing<T> {
  readonly #last = new Map<string, readonly T[]>()
  /** Of the lists made since the last change. */
  readonly #current = new Set<string>()

  /** Must be called after each change of an item or its view: until then a list is as it was. */
  changed(): void {
    this.#current.clear()
  }

  /**
   * The views of all items, in order, without undefined ones. Returns the previous list of this name if it has the same
   * objects.
   */
  list<S>(name: string, present: Iterable<S>, viewOf: (item: S) => T | undefined): readonly T[] {
    const last = this.#last.get(name) ?? []
    if (this.#current.has(name)) return last
    this.#current.add(name)
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
