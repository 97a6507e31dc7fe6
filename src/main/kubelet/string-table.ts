/** Sightings remembered of texts that were seen once. */
const seenOnceLimit = 1000

/**
 * Numbers for texts that many events repeat: kinds, reasons, field names. A text is added when it is seen the
 * second time, so that what is said once (ids, addresses) does not fill the table; numbers stay for good.
 */
export class StringTable {
  readonly #limit: number
  readonly #words: string[] = []
  readonly #numbers = new Map<string, number>()
  #seenOnce = new Set<string>()

  constructor(deps: { readonly limit: number }) {
    this.#limit = deps.limit
  }

  /** Undefined: the text has no number, and has to be written out. */
  numberOf(word: string): number | undefined {
    const known = this.#numbers.get(word)
    if (known !== undefined || this.#words.length >= this.#limit) return known
    if (this.#seenOnce.delete(word)) return this.add(word)
    if (this.#seenOnce.size >= seenOnceLimit) this.#seenOnce = new Set()
    this.#seenOnce.add(word)
    return undefined
  }

  /** Adds the text at once, even beyond the limit. It must not have a number yet. */
  add(word: string): number {
    const number = this.#words.length
    this.#words.push(word)
    this.#numbers.set(word, number)
    return number
  }

  /** The text that was given the number. */
  stringOf(number: number): string {
    const word = this.#words[number]
    if (word === undefined) throw new Error(`no word has the number ${number}`)
    return word
  }
}
