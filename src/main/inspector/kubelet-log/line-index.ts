import { float64 } from './growing-columns.ts'

/** How many lines a block has. */
export const blockLines = 256

/** At most this many pods have their blocks kept; lines of others are looked for in the whole log. */
const maxKeys = 20_000

/** Where every 256th line begins, and in which blocks each pod has lines. */
export class LineIndex {
  readonly #offsets = float64()
  readonly #blocks = new Map<string, number[]>()

  /** `line` counts from 0; called for each line in order. */
  began(line: number, offset: number): void {
    if (line % blockLines === 0) this.#offsets.push(offset)
  }

  /** `key`: a pod's full name or its UID. */
  mention(key: string, line: number): void {
    const block = Math.floor(line / blockLines)
    const blocks = this.#blocks.get(key)
    if (blocks !== undefined) {
      if (blocks.at(-1) !== block) blocks.push(block)
    } else if (this.#blocks.size < maxKeys) this.#blocks.set(key, [block])
  }

  get blockCount(): number {
    return this.#offsets.length
  }

  /** Where the first line of a block begins. */
  offsetOf(block: number): number {
    return this.#offsets.at(block)
  }

  /** The blocks with lines of any of the keys, in order; undefined: not known. */
  blocksOf(keys: readonly string[]): readonly number[] | undefined {
    const found = keys.flatMap((key) => this.#blocks.get(key) ?? [])
    if (found.length === 0 && this.#blocks.size >= maxKeys) return undefined
    return [...new Set(found)].toSorted((one, other) => one - other)
  }
}
