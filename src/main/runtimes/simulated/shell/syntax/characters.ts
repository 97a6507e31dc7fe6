import { Unreadable } from '../unreadable.ts'

/** A script and a position in it. */
export class Characters {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The character at the position, or so many after it; empty past the end. */
  peek(ahead = 0): string {
    return this.#text.charAt(this.#at + ahead)
  }

  startsWith(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  take(count = 1): string {
    const taken = this.#text.slice(this.#at, this.#at + count)
    this.#at += count
    return taken
  }

  /** Takes as far as the sticky pattern goes; empty where it does not match. */
  takeMatch(pattern: RegExp): string {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = this.#at
    return this.take(sticky.exec(this.#text)?.[0].length ?? 0)
  }

  /** Takes up to the terminator and the terminator itself; returns what stood before it. */
  takeUntil(terminator: string): string {
    const end = this.#text.indexOf(terminator, this.#at)
    if (end < 0) throw new Unreadable(`${terminator} is missing`)
    const taken = this.take(end - this.#at)
    this.take(terminator.length)
    return taken
  }

  /** After an opening character: takes up to its closing one, over quotes and nested pairs. */
  takeBalanced(open: string, close: string): string {
    const start = this.#at
    for (let depth = 1; ;) {
      if (this.isAtEnd) throw new Unreadable(`${close} is missing`)
      const character = this.take()
      if (character === '\\') this.take()
      else if (character === "'") this.takeUntil("'")
      else if (character === '"') this.#skipDoubleQuoted()
      else if (character === open) depth++
      else if (character === close && --depth === 0) return this.#text.slice(start, this.#at - 1)
    }
  }

  #skipDoubleQuoted(): void {
    for (;;) {
      if (this.isAtEnd) throw new Unreadable('" is missing')
      const character = this.take()
      if (character === '\\') this.take()
      else if (character === '"') return
    }
  }
}
