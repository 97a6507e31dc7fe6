import type { Random } from '../src/main/kubelet/ports.ts'

/** Random choices from one stream: the same seed gives the same choices. */
export class RandomPicker {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** True with this probability, 0 to 1. */
  is(probability: number): boolean {
    return this.#random.next() < probability
  }

  /** True in `share` of 100 cases. */
  percent(share: number): boolean {
    return this.#random.next() * 100 < share
  }

  /** 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit)
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#random.next() * (most - least + 1))
  }

  /** One of the list; undefined of an empty one. */
  among<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** One of a list that is never empty. */
  of<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    return choices[this.below(choices.length)] as T // there is at least one
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }

  /** One of some; for lists that are never empty. */
  oneOf<T>(first: T, ...others: readonly T[]): T {
    return this.among([first, ...others]) ?? first
  }

  /** One of the list, chosen by weight. Throws for an empty list. */
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
