import type { Address } from './address.ts'

/** An address with its history in memory. */
export class FakeAddress implements Address {
  readonly #entries: string[]
  readonly #listeners = new Set<() => void>()
  #at = 0

  constructor(hash: string) {
    this.#entries = [hash]
  }

  get entries(): readonly string[] {
    return this.#entries
  }

  read = (): string => this.#entries[this.#at] ?? ''

  push = (hash: string): void => {
    this.#entries.splice(this.#at + 1, Infinity, hash)
    this.#at++
  }

  replace = (hash: string): void => {
    this.#entries[this.#at] = hash
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  back(): void {
    this.#go(-1)
  }

  forward(): void {
    this.#go(1)
  }

  #go(by: number): void {
    this.#at += by
    for (const listener of this.#listeners) listener()
  }
}
