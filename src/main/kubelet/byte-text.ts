/** Numbers below this take one byte; each further byte holds seven bits more. */
const byteBase = 128

/** So many characters are made into a text at once: a call cannot have arguments without end. */
const charactersAtOnce = 8192

/** Writes a text whose characters are bytes, which takes one byte of memory for each. */
export class ByteTextWriter {
  /** Grows only: room that one text needed is there for the next. */
  readonly #codes: number[] = []
  #length = 0

  /** 0 to 255. */
  byte(value: number): void {
    this.#codes[this.#length++] = value
  }

  /** A whole number from 0 to the greatest safe one; small ones take less. */
  whole(value: number): void {
    let rest = value
    // No shifts: they work on 32 bits only.
    while (rest >= byteBase) {
      this.byte(byteBase + (rest % byteBase))
      rest = Math.floor(rest / byteBase)
    }
    this.byte(rest)
  }

  /** A safe whole number of either sign; its double must be safe too. */
  signed(value: number): void {
    this.whole(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** Any text; one with characters beyond Latin-1 makes the result take two bytes for each character. */
  text(value: string): void {
    this.whole(value.length)
    for (let index = 0; index < value.length; index++)
      this.#codes[this.#length++] = value.charCodeAt(index)
  }

  clear(): void {
    this.#length = 0
  }

  /** The text so far; the writer is empty afterwards and can be used again. */
  take(): string {
    const parts: string[] = []
    for (let from = 0; from < this.#length; from += charactersAtOnce) {
      const until = Math.min(this.#length, from + charactersAtOnce)
      parts.push(String.fromCharCode(...this.#codes.slice(from, until)))
    }
    this.clear()
    // Joined, not added: `+` keeps the parts in memory as well.
    return parts.join('')
  }
}

/** Reads what `ByteTextWriter` wrote, in the same order. */
export class ByteTextReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Whether the next byte is this one. */
  isAt(byte: number): boolean {
    return this.#text.charCodeAt(this.#at) === byte
  }

  byte(): number {
    return this.#text.charCodeAt(this.#at++)
  }

  whole(): number {
    let value = 0
    for (let weight = 1; ; weight *= byteBase) {
      const byte = this.byte()
      if (byte < byteBase) return value + byte * weight
      value += (byte - byteBase) * weight
    }
  }

  signed(): number {
    const value = this.whole()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  text(): string {
    const length = this.whole()
    this.#at += length
    return this.#text.slice(this.#at - length, this.#at)
  }
}
