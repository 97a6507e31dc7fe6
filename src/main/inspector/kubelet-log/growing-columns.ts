/** Numbers in a typed array that grows: 8 bytes or fewer each, where a list of numbers or objects has many more. */
export class GrowingNumbers<T extends Float64Array | Uint32Array | Uint8Array> {
  #values: T
  #length = 0
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#values = make(256)
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = this.#make(this.#length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#length++] = value
  }

  at(index: number): number {
    return index < this.#length ? (this.#values[index] ?? 0) : 0
  }
}

export function float64(): GrowingNumbers<Float64Array> {
  return new GrowingNumbers((length) => new Float64Array(length))
}

export function uint32(): GrowingNumbers<Uint32Array> {
  return new GrowingNumbers((length) => new Uint32Array(length))
}

export function uint8(): GrowingNumbers<Uint8Array> {
  return new GrowingNumbers((length) => new Uint8Array(length))
}
