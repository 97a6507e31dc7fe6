import { Characters } from './characters.ts'
import type { CommandList, VariableOperator, Word, WordPart } from './syntax.ts'
import { Unreadable } from '../unreadable.ts'

/** Parses the text between `$(` and `)`. */
export type ParseSubstitution = (source: string) => CommandList

/** Variables whose values are random or depend on the machine. */
const unreadableVariables = new Set(
  'RANDOM SRANDOM SECONDS LINENO BASHPID PPID EPOCHSECONDS EPOCHREALTIME'.split(' '),
)

/** What is in `${…}`. */
const bracedExpression =
  /^(?<length>#(?=\w))?(?<name>[A-Za-z_]\w*|[?$!#@*\d])(?:\[(?<index>[^\]]+)\])?(?:(?<operator>:?[-+?]|%%?|##?)(?<word>[^]*))?$/

/** Reads words: quotes, escapes and everything that begins with `$`. Throws Unreadable. */
export class WordReader {
  readonly #characters: Characters
  readonly #parseSubstitution: ParseSubstitution

  constructor(deps: {
    readonly characters: Characters
    readonly parseSubstitution: ParseSubstitution
  }) {
    this.#characters = deps.characters
    this.#parseSubstitution = deps.parseSubstitution
  }

  /** The word at the position, up to a blank or an operator. */
  read(): Word {
    const parts: WordPart[] = []
    while (!this.#characters.isAtEnd && !/[\s;&|()<>]/.test(this.#characters.peek())) {
      parts.push(...this.#unquotedPart(parts.length === 0))
    }
    if (parts.length === 0) throw new Unreadable(`${this.#characters.peek()} is not read`)
    return joinTexts(parts)
  }

  /** The text of a here-document: as in double quotes, which mean nothing themselves. */
  readDocument(): Word {
    const parts: WordPart[] = []
    while (!this.#characters.isAtEnd) {
      const quotes = this.#characters.takeMatch(/\\?"/)
      parts.push(
        quotes === '' ? this.#quotedPart() : { kind: 'text', text: quotes, isQuoted: true },
      )
    }
    return joinTexts(parts)
  }

  /** The rest of the text, read as in double quotes. */
  readQuotedRest(): Word {
    const parts: WordPart[] = []
    while (!this.#characters.isAtEnd) parts.push(this.#quotedPart())
    return joinTexts(parts)
  }

  #unquotedPart(isFirst: boolean): readonly WordPart[] {
    const characters = this.#characters
    switch (characters.peek()) {
      case "'":
        characters.take()
        return [{ kind: 'text', text: characters.takeUntil("'"), isQuoted: true }]
      case '"':
        characters.take()
        return this.#doubleQuoted()
      case '\\':
        return this.#escaped()
      case '$':
        return [this.#dollar(false)]
      case '`':
        return [this.#backquoted(false)]
      default:
        return [plainText(characters.takeMatch(/[^\s;&|()<>'"\\$`]+/), isFirst)]
    }
  }

  #escaped(): readonly WordPart[] {
    this.#characters.take()
    const text = this.#characters.take()
    return text === '\n' ? [] : [{ kind: 'text', text, isQuoted: true }]
  }

  #doubleQuoted(): readonly WordPart[] {
    const parts: WordPart[] = [{ kind: 'text', text: '', isQuoted: true }]
    while (this.#characters.peek() !== '"') {
      if (this.#characters.isAtEnd) throw new Unreadable('" is missing')
      parts.push(this.#quotedPart())
    }
    this.#characters.take()
    return parts
  }

  #quotedPart(): WordPart {
    const characters = this.#characters
    if (characters.peek() === '$') return this.#dollar(true)
    if (characters.peek() === '`') return this.#backquoted(true)
    if (characters.peek() !== '\\') {
      return {
        kind: 'text',
        text: characters.takeMatch(/[^"\\$`]+/) || characters.take(),
        isQuoted: true,
      }
    }
    const escape = characters.take(2)
    if (escape === '\\\n') return { kind: 'text', text: '', isQuoted: true }
    const text = /^\\[$"\\`]$/.test(escape) ? escape.slice(1) : escape
    return { kind: 'text', text, isQuoted: true }
  }

  #backquoted(isQuoted: boolean): WordPart {
    this.#characters.take()
    const source = this.#characters.takeUntil('`')
    if (source.includes('\\')) throw new Unreadable('a backslash between backquotes')
    return { kind: 'substitution', list: this.#parseSubstitution(source), isQuoted }
  }

  #dollar(isQuoted: boolean): WordPart {
    const characters = this.#characters
    characters.take()
    if (characters.startsWith('((')) return this.#arithmetic(isQuoted)
    if (characters.peek() === '(') {
      characters.take()
      const source = characters.takeBalanced('(', ')')
      return { kind: 'substitution', list: this.#parseSubstitution(source), isQuoted }
    }
    if (characters.peek() === '{') return this.#braced(isQuoted)
    const name = characters.takeMatch(/[A-Za-z_]\w*|[?$!#@*\d]/)
    if (name !== '') return variable(name, isQuoted)
    if (/['"-]/.test(characters.peek()) && !(isQuoted && characters.peek() === '"')) {
      throw new Unreadable(`$${characters.peek()} is not read`)
    }
    return { kind: 'text', text: '$', isQuoted }
  }

  #arithmetic(isQuoted: boolean): WordPart {
    this.#characters.take(2)
    const source = this.#characters.takeBalanced('(', ')')
    if (this.#characters.take() !== ')') throw new Unreadable('$((…)) is not closed')
    return { kind: 'arithmetic', expression: this.#nested(source), isQuoted }
  }

  #braced(isQuoted: boolean): WordPart {
    this.#characters.take()
    const source = this.#characters.takeBalanced('{', '}')
    const refuse = (): never => {
      throw new Unreadable(`\${${source}} is not read`)
    }
    const { length, name, index, operator, word = '' } = bracedExpression.exec(source)?.groups ?? {}
    if (name === undefined) return refuse()
    const read = { ...variable(name, isQuoted), ...this.#indexed(index) }
    if (length !== undefined) return operator === undefined ? { ...read, isLength: true } : refuse()
    if (operator === undefined) return read
    if (/^[%#]/.test(operator)) {
      // Of several values it would be taken from each.
      if (/^[@*]/.test(index ?? name)) return refuse()
      const pattern = this.#reader(word).#readPattern()
      return { ...read, operation: { operator: operator as VariableOperator, word: pattern } }
    }
    if (/['"]/.test(word)) return refuse()
    const operation = { operator: operator as VariableOperator, word: this.#nested(word) }
    return { ...read, operation }
  }

  #indexed(index: string | undefined): { readonly index?: Word | '@' | '*' } {
    if (index === undefined) return {}
    return { index: index === '@' || index === '*' ? index : this.#nested(index) }
  }

  /** The rest of the text, in which blanks mean nothing, as a pattern. */
  #readPattern(): Word {
    const parts: WordPart[] = []
    while (!this.#characters.isAtEnd) {
      const text = this.#characters.takeMatch(/[\s;&|()<>{}~]+/)
      if (text === '') parts.push(...this.#unquotedPart(false))
      else parts.push({ kind: 'text', text, isQuoted: true })
    }
    return parts
  }

  #nested(source: string): Word {
    return this.#reader(source).readQuotedRest()
  }

  #reader(source: string): WordReader {
    return new WordReader({
      characters: new Characters(source),
      parseSubstitution: this.#parseSubstitution,
    })
  }
}

function variable(name: string, isQuoted: boolean): WordPart & { readonly kind: 'variable' } {
  if (unreadableVariables.has(name)) throw new Unreadable(`$${name} is not read`)
  return { kind: 'variable', name, isQuoted }
}

function plainText(text: string, isFirst: boolean): WordPart {
  if (/\{[^}]*(,|\.\.)[^}]*\}/.test(text)) throw new Unreadable(`${text} is not read`)
  // `[` and `[[` alone are commands; in longer words they begin a glob.
  if (isFirst && text.startsWith('~')) {
    if (!/^~(\/|$)/.test(text)) throw new Unreadable(`${text} is not read`)
    return plainText(`/root${text.slice(1)}`, false)
  }
  if (/[*?]|\[.+\]/.test(text)) return { kind: 'glob', text }
  return { kind: 'text', text, isQuoted: false }
}

function joinTexts(parts: readonly WordPart[]): Word {
  const joined: WordPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text' && part.isQuoted === last.isQuoted) {
      joined[joined.length - 1] = { ...part, text: last.text + part.text }
    } else joined.push(part)
  }
  return joined
}
