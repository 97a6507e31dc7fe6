import { Unreadable } from '../../shell/unreadable.ts'
import type { PosixExpression } from '../posix-expression.ts'
import { posixExpression } from '../posix-expression.ts'

/** Which lines a command is for. */
export type Address =
  | { readonly kind: 'line'; readonly number: number }
  | { readonly kind: 'last' }
  | { readonly kind: 'matches'; readonly expression: PosixExpression }
  /** The end of a range, so many lines after its begin. */
  | { readonly kind: 'plus'; readonly lines: number }

/** Texts, and numbers for the groups of the match. */
type Replacement = readonly (string | number)[]

type Action =
  | { readonly kind: '{'; readonly body: readonly SedCommand[] }
  | {
      readonly kind: 's'
      readonly expression: PosixExpression
      readonly replacement: Replacement
      /** Which match is the first to be replaced. */
      readonly nth: number
      readonly isGlobal: boolean
      readonly isPrinted: boolean
    }
  | { readonly kind: 'y'; readonly from: string; readonly to: string }
  | { readonly kind: 'a' | 'i' | 'c'; readonly text: string }
  | { readonly kind: ':' | 'b' | 't'; readonly label: string }
  | { readonly kind: 'd' | 'q' | 'p' | '=' | 'n' | 'N' | 'D' | 'P' | 'h' | 'H' | 'g' | 'G' | 'x' }

export interface SedCommand {
  readonly addresses: readonly [] | readonly [Address] | readonly [Address, Address]
  readonly isNegated: boolean
  readonly action: Action
}

const plainCommands = ['d', 'q', 'p', '=', 'n', 'N', 'D', 'P', 'h', 'H', 'g', 'G', 'x'] as const

/** Reads one script. Throws Unreadable. */
class SedReader {
  readonly #text: string
  readonly #isExtended: boolean
  #at = 0

  constructor(text: string, isExtended: boolean) {
    this.#text = text
    this.#isExtended = isExtended
  }

  /** The commands up to the end, or up to the `}` of a block. */
  list(isBlock: boolean): readonly SedCommand[] {
    const commands: SedCommand[] = []
    for (;;) {
      this.#skip(/[\s;]/)
      if (this.#next === '') {
        if (isBlock) this.#refuse()
        return commands
      }
      if (this.#next === '}') {
        if (!isBlock) this.#refuse()
        this.#at++
        return commands
      }
      if (this.#next === '#') this.#skip(/[^\n]/)
      else commands.push(this.#command())
    }
  }

  get #next(): string {
    return this.#text[this.#at] ?? ''
  }

  #skip(characters: RegExp): void {
    while (this.#next !== '' && characters.test(this.#next)) this.#at++
  }

  #refuse(): never {
    throw new Unreadable(`sed ${this.#text}`)
  }

  #command(): SedCommand {
    const addresses = this.#addresses()
    this.#skip(/\s/)
    const isNegated = this.#next === '!'
    if (isNegated) this.#at++
    this.#skip(/\s/)
    if (addresses.length === 2 && /[ai:]/.test(this.#next)) this.#refuse()
    return { addresses, isNegated, action: this.#action() }
  }

  #addresses(): SedCommand['addresses'] {
    const first = this.#address(false)
    if (first === undefined) return []
    this.#skip(/\s/)
    if (this.#next !== ',') return [first]
    this.#at++
    this.#skip(/\s/)
    return [first, this.#address(true) ?? this.#refuse()]
  }

  #address(isSecond: boolean): Address | undefined {
    const rest = this.#text.slice(this.#at)
    const number = /^(\+?)(\d+)/.exec(rest)
    if (number !== null) {
      const [whole, plus, digits = ''] = number
      this.#at += whole.length
      if (plus === '+' && !isSecond) this.#refuse()
      if (plus === '+') return { kind: 'plus', lines: Number(digits) }
      if (Number(digits) === 0) this.#refuse()
      return { kind: 'line', number: Number(digits) }
    }
    if (rest.startsWith('$')) {
      this.#at++
      return { kind: 'last' }
    }
    if (!/^[/\\]/.test(rest)) return undefined
    if (rest.startsWith('\\')) this.#at++
    const pattern = this.#delimited(this.#text[this.#at++] ?? '')
    const ignoresCase = this.#next === 'I'
    if (ignoresCase) this.#at++
    return { kind: 'matches', expression: this.#expression(pattern, ignoresCase) }
  }

  #expression(pattern: string, ignoresCase: boolean): PosixExpression {
    // An empty one is the last that was used.
    if (pattern === '') this.#refuse()
    return posixExpression(pattern, { isExtended: this.#isExtended, ignoresCase }, 'sed')
  }

  /** The text up to the delimiter, which is not special after a backslash; other backslashes stay. */
  #delimited(delimiter: string): string {
    if (/[\s\\]|^$/.test(delimiter)) this.#refuse()
    let text = ''
    let isInBrackets = false
    for (;;) {
      const character = this.#next
      if (character === '') this.#refuse()
      this.#at++
      if (character === '\\') {
        const escaped = this.#next
        this.#at++
        if (escaped === delimiter && /[^/,:#%@!~_;=&]/.test(delimiter)) this.#refuse()
        text += escaped === delimiter ? escaped : `\\${escaped}`
        continue
      }
      if (character === delimiter) {
        if (isInBrackets) this.#refuse()
        return text
      }
      if (character === '[') isInBrackets = true
      else if (character === ']' && !/\[\^?$/.test(text)) isInBrackets = false
      text += character
    }
  }

  #action(): Action {
    const letter = this.#next
    this.#at++
    const plain = plainCommands.find((one) => one === letter)
    if (plain !== undefined) {
      this.#endCommand()
      return { kind: plain }
    }
    switch (letter) {
      case '{':
        return { kind: '{', body: this.list(true) }
      case 's':
        return this.#substitution()
      case 'y':
        return this.#transliteration()
      case 'a':
      case 'i':
      case 'c':
        return { kind: letter, text: this.#lines() }
      case ':':
      case 'b':
      case 't':
        return { kind: letter, label: this.#word(/^\s*([^\s;}]*)/) }
      default:
        this.#refuse()
    }
  }

  #word(expression: RegExp): string {
    const [whole = '', word = ''] = expression.exec(this.#text.slice(this.#at)) ?? []
    this.#at += whole.length
    this.#endCommand()
    return word
  }

  #endCommand(): void {
    this.#skip(/[^\S\n]/)
    if (!/^$|[\n;}#]/.test(this.#next)) this.#refuse()
  }

  #substitution(): Action {
    const delimiter = this.#text[this.#at++] ?? ''
    const pattern = this.#delimited(delimiter)
    const replacement = this.#replacement(this.#delimitedReplacement(delimiter))
    const [flags = ''] = /^[gpiI\d]*/.exec(this.#text.slice(this.#at)) ?? []
    this.#at += flags.length
    this.#endCommand()
    const nth = Number(/\d+/.exec(flags)?.[0] ?? 1)
    // With a number and g, busybox replaces all.
    if (nth === 0 || /\d\D+\d/.test(flags) || /g.*\d|\d.*g/.test(flags)) this.#refuse()
    // After a match that it leaves, busybox does not always find the next one of a pattern.
    if (nth > 1 && /\W/.test(pattern)) this.#refuse()
    return {
      kind: 's',
      expression: this.#expression(pattern, /i/i.test(flags)),
      replacement,
      nth,
      isGlobal: flags.includes('g'),
      isPrinted: flags.includes('p'),
    }
  }

  #delimitedReplacement(delimiter: string): string {
    let text = ''
    for (;;) {
      const character = this.#next
      if (character === '') this.#refuse()
      this.#at++
      if (character === delimiter) return text
      if (character === '\\') {
        const escaped = this.#next
        if (escaped === '') this.#refuse()
        this.#at++
        // `s|a|\||` puts the delimiter; `s&a&\&&` does not.
        if (escaped === delimiter && delimiter === '&') this.#refuse()
        text += escaped === delimiter ? escaped : `\\${escaped}`
      } else text += character
    }
  }

  #replacement(text: string): Replacement {
    const parts: (string | number)[] = []
    for (const part of text.match(/\\[^]|&|[^\\&]+/g) ?? []) {
      const escaped = part.startsWith('\\') ? part.slice(1) : undefined
      if (part === '&') parts.push(0)
      else if (escaped === undefined) parts.push(part)
      else if (/\d/.test(escaped)) parts.push(Number(escaped))
      else if (escaped === 'n') parts.push('\n')
      else if (escaped === 't') parts.push('\t')
      else if (/[a-zA-Z]/.test(escaped)) this.#refuse()
      else parts.push(escaped)
    }
    return parts
  }

  #transliteration(): Action {
    const delimiter = this.#text[this.#at++] ?? ''
    const from = this.#delimited(delimiter)
    const to = this.#delimitedReplacement(delimiter)
    this.#endCommand()
    if (from.length !== to.length || /[\\\][]/.test(from + to)) this.#refuse()
    return { kind: 'y', from, to }
  }

  /** `a text`, or `a\` and the lines after it, which go on after a backslash. */
  #lines(): string {
    const [given = ''] =
      /^[^\S\n]*(?:\\\n)?(?:[^\n\\]|\\\n)*/.exec(this.#text.slice(this.#at)) ?? []
    this.#at += given.length
    if (this.#next === '\\') this.#refuse()
    const text = given.replace(/^[^\S\n]*(?:\\\n)?\s*/, '').replaceAll('\\\n', '\n')
    if (text === '') this.#refuse()
    return `${text}\n`
  }
}

export function readSedScript(text: string, isExtended: boolean): readonly SedCommand[] {
  return new SedReader(text, isExtended).list(false)
}
