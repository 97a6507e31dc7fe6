/** Short lists by key, replaced at each change. Most have one item, which is kept by itself: a list would take 56 bytes. */
export class ShortLists<T extends object> {
  readonly #lists = new Map<string, T | readonly T[]>()

  keys(): Iterable<string> {
    return this.#lists.keys()
  }

  /** Empty if there is none. */
  get(key: string): readonly T[] {
    const items = this.#lists.get(key)
    if (items === undefined) return []
    return isList(items) ? items : [items]
  }

  set(key: string, items: readonly T[]): void {
    const [first, ...others] = items
    if (first === undefined) this.#lists.delete(key)
    else this.#lists.set(key, others.length === 0 ? first : items)
  }

  delete(key: string): void {
    this.#lists.delete(key)
  }
}

function isList<T extends object>(items: T | readonly T[]): items is readonly T[] {
  return Array.isArray(items)
}
