/** The first `limit` of many in an order, found in one pass without sorting them all. Equals keep the order in which they came. */
export class Top<T> {
  readonly #limit: number
  readonly #compare: (left: T, right: T) => number
  readonly #items: T[] = []

  constructor(limit: number, compare: (left: T, right: T) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  add(item: T): void {
    const { last } = this
    if (last !== undefined && this.#compare(item, last) >= 0) return
    const at = this.#items.findIndex((other) => this.#compare(item, other) < 0)
    this.#items.splice(at === -1 ? this.#items.length : at, 0, item)
    if (this.#items.length > this.#limit) this.#items.pop()
  }

  /** The item that a further one must come before; undefined while there is room. */
  get last(): T | undefined {
    return this.#items[this.#limit - 1]
  }

  get items(): readonly T[] {
    return this.#items
  }
}
