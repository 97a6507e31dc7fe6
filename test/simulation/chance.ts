import type { Random } from '../../src/main/kubelet/ports.ts'

/** Choices of one step, from a stream of chance of its own. */
export class Chance {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** True that often, 0 to 1. */
  is(probability: number): boolean {
    return this.#random.next() < probability
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#random.next() * (most - least + 1))
  }

  /** One of the list; undefined of an empty one. */
  among<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random.next() * list.length)]
  }

  /** One of some; for lists that are never empty. */
  oneOf<T>(first: T, ...others: readonly T[]): T {
    return this.among([first, ...others]) ?? first
  }

  /** One of the list, each as often as its weight says. Throws for an empty list. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let left = this.#random.next() * list.reduce((sum, { weight }) => sum + weight, 0)
    for (const one of list) {
      left -= one.weight
      if (left < 0) return one
    }
    const last = list.at(-1)
    if (last === undefined) throw new Error('nothing to choose from')
    return last
  }
}
