import type { EntryChange, StateDatabase } from './state-database.ts'

/** A database in memory whose batches are written when the test says so, or fail. */
export class FakeDatabase implements StateDatabase {
  readonly stored = new Map<string, string>()
  /** The keys of each batch that was written. */
  readonly batches: (readonly string[])[] = []
  /** What the next writes reject with; undefined: they are carried out. */
  failure: Error | undefined
  reopened = 0
  /** Holds every write until it is called. */
  #release: (() => void) | undefined
  #isHeld = false

  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#release?.()
  }

  readonly entries = (): Promise<readonly (readonly [string, string])[]> =>
    Promise.resolve([...this.stored].toSorted(([a], [b]) => (a < b ? -1 : 1)))

  readonly write = async (changes: readonly EntryChange[]): Promise<void> => {
    if (this.#isHeld)
      await new Promise<void>((resolve) => {
        this.#release = resolve
      })
    if (this.failure !== undefined) throw this.failure
    this.batches.push(changes.map(([key]) => key))
    for (const [key, text] of changes)
      if (text === undefined) this.stored.delete(key)
      else this.stored.set(key, text)
  }

  readonly reopen = (): Promise<void> => {
    this.reopened++
    return Promise.resolve()
  }

  readonly close = (): Promise<void> => Promise.resolve()
}
