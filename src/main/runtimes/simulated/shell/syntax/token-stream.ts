import type { Token } from './lexer.ts'
import type { Word } from './syntax.ts'
import { staticText } from './syntax.ts'
import { Unreadable } from '../unreadable.ts'

const end: Token = { kind: 'end' }

/** Tokens and a position among them. */
export class TokenStream {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? end
  }

  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  /** The next token's text if it is an unquoted word, which may be a reserved word. */
  get bareWord(): string | undefined {
    const token = this.next
    if (token.kind !== 'word' || token.word.length !== 1) return undefined
    const [part] = token.word
    return part?.kind === 'text' && !part.isQuoted ? part.text : undefined
  }

  isOperator(operator: string): boolean {
    return this.next.kind === 'operator' && this.next.operator === operator
  }

  /** Whether a function's parentheses follow the next word. */
  get isBeforeParentheses(): boolean {
    const [open, close] = this.#tokens.slice(this.#at + 1, this.#at + 3)
    return (
      open?.kind === 'operator' &&
      open.operator === '(' &&
      close?.kind === 'operator' &&
      close.operator === ')'
    )
  }

  takeOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false
    this.take()
    return true
  }

  takeReserved(word: string): boolean {
    if (this.bareWord !== word) return false
    this.take()
    return true
  }

  expectOperator(operator: string): void {
    if (!this.takeOperator(operator)) throw new Unreadable(`${operator} expected, ${this.found}`)
  }

  expectReserved(word: string): void {
    if (!this.takeReserved(word)) throw new Unreadable(`${word} expected, ${this.found}`)
  }

  takeWord(): Word {
    const token = this.take()
    if (token.kind !== 'word') throw new Unreadable('a word is missing')
    return token.word
  }

  skipNewlines(): void {
    while (this.next.kind === 'newline') this.take()
  }

  /** A description of the next token, for messages. */
  get found(): string {
    const token = this.next
    switch (token.kind) {
      case 'word':
        return `found ${staticText(token.word) ?? 'a word'}`
      case 'redirection':
      case 'operator':
        return `found ${token.operator}`
      case 'newline':
        return 'found the end of the line'
      case 'end':
        return 'found the end'
    }
  }
}
