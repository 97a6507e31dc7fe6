import { Characters } from './characters.ts'
import { HereDocuments } from './here-documents.ts'
import type { Dialect, Word } from './syntax.ts'
import { Unreadable } from '../unreadable.ts'
import type { ParseSubstitution } from './word-reader.ts'
import { WordReader } from './word-reader.ts'

export type Token =
  | { readonly kind: 'word'; readonly word: Word }
  /** A redirection's operator, with the descriptor before it if there is one; its target is the next word. */
  | { readonly kind: 'redirection'; readonly operator: string; readonly descriptor: string }
  | { readonly kind: 'operator'; readonly operator: string }
  | { readonly kind: 'newline' }
  | { readonly kind: 'end' }

// Process substitutions are not supported.
const redirection = /\d*(>>|>\||>&|<&|<<-|<<(?!<)|>(?!\()|<(?![<(]))/
const bashHereString = /\d*<<</
const bashRedirection = /&>>?/
const operators = ['&&', '||', ';;', '|', ';', '&', '(', ')', '\n']
const unreadableOperators = ['|&', '<<<', '<(', '>(']

/** `{1..3}` is one word for each number, only in bash. */
const numberRange = /\{(-?\d{1,6})\.\.(-?\d{1,6})\}(?=[\s;&|()<>]|$)/

/** Splits a script into words and operators. Throws Unreadable. */
export function tokenize(
  text: string,
  dialect: Dialect,
  parseSubstitution: ParseSubstitution,
): readonly Token[] {
  const characters = new Characters(text)
  const words = new WordReader({ characters, parseSubstitution })
  const documents = new HereDocuments(characters, parseSubstitution)
  const tokens: Token[] = []
  for (;;) {
    skipBlanks(characters)
    if (characters.isAtEnd) return [...tokens, { kind: 'end' }]
    const next = nextTokens(characters, dialect, words)
    tokens.push(...next)
    const [token] = next
    if (token?.kind === 'redirection' && /^<<-?$/.test(token.operator)) {
      skipBlanks(characters)
      tokens.push({ kind: 'word', word: documents.begin(words.read(), token.operator === '<<-') })
    }
    if (token?.kind === 'newline') documents.read()
  }
}

function skipBlanks(characters: Characters): void {
  while (characters.takeMatch(/[ \t\r]+|\\\n/) !== '');
  if (characters.peek() === '#') characters.takeMatch(/[^\n]*/)
}

function nextTokens(characters: Characters, dialect: Dialect, words: WordReader): readonly Token[] {
  const isBash = dialect === 'bash'
  const redirected =
    (isBash ? characters.takeMatch(bashRedirection) || characters.takeMatch(bashHereString) : '') ||
    characters.takeMatch(redirection)
  if (redirected !== '') {
    const operator = redirected.replace(/^\d+/, '')
    const descriptor = redirected.slice(0, redirected.length - operator.length)
    return [{ kind: 'redirection', operator, descriptor }]
  }
  const refused = unreadableOperators.find((candidate) => characters.startsWith(candidate))
  if (refused !== undefined) throw new Unreadable(`${refused} is not read`)
  const operator = operators.find((candidate) => characters.startsWith(candidate))
  if (operator !== undefined) {
    characters.take(operator.length)
    return [operator === '\n' ? { kind: 'newline' } : { kind: 'operator', operator }]
  }
  if (isBash) {
    const range = numberRange.exec(characters.takeMatch(numberRange))
    if (range !== null) return rangeWords(Number(range[1]), Number(range[2]))
  }
  return [{ kind: 'word', word: words.read() }]
}

function rangeWords(from: number, to: number): readonly Token[] {
  const count = Math.abs(to - from) + 1
  if (count > 10_000) throw new Unreadable('a range of more than 10000 numbers')
  const step = to < from ? -1 : 1
  return Array.from({ length: count }, (_, index) => ({
    kind: 'word',
    word: [{ kind: 'text', text: String(from + index * step), isQuoted: false }],
  }))
}
