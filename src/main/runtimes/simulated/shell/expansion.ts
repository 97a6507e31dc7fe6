import { evaluateArithmetic } from './arithmetic.ts'
import type { Word, WordPart } from './syntax/syntax.ts'
import { patternExpression } from './pattern.ts'
import { known, Unreadable } from './unreadable.ts'

/** What a word can refer to while it is expanded. */
export interface ExpansionScope {
  /** The value of a variable, of `?`, `$`, `!`, `#` or a position; undefined when it is not set. */
  readonly lookup: (name: string) => string | undefined
  /** Of an array, or of a variable as the only one. */
  readonly itemsOf: (name: string) => readonly string[]
  readonly positions: () => readonly string[]
  /** `set -u`: a variable that is not set stops the shell. */
  readonly isUnsetFatal: () => boolean
  /** What the commands of a substitution printed, which have run before. */
  readonly substituted: (part: SubstitutionPart) => string
  /** The files that match a pattern, in which quoted characters have a backslash; empty if none does. */
  readonly filesMatching: (pattern: string) => readonly string[]
}

export type SubstitutionPart = WordPart & { readonly kind: 'substitution' }

/** Longer values are refused, because they would use up the program's memory. */
const maxLength = 65_536

/** The word as one text, without splitting: for assignments, and inside `[[ … ]]`. */
export function expandText(word: Word, scope: ExpansionScope): string {
  let text = ''
  for (const part of word) text += partText(part, scope)
  if (text.length > maxLength) throw new Unreadable('a value that is too long')
  return text
}

/** A field with its pattern, in which quoted characters have a backslash. */
interface Field {
  readonly text: string
  readonly pattern: string
}

/** The fields that a word becomes: unquoted expansions are split at blanks, empty ones vanish, patterns match files. */
export function expandFields(word: Word, scope: ExpansionScope): readonly string[] {
  const list = listOf(word, scope)
  if (list !== undefined) return list
  // Most words are not split and match no files.
  if (word.every((part) => part.kind === 'text' || (part.kind !== 'glob' && part.isQuoted)))
    return word.length === 0 ? [] : [expandText(word, scope)]
  return splitFields(word, scope).flatMap(({ text, pattern }) => {
    if (!hasPattern(pattern)) return [text]
    const files = scope.filesMatching(pattern)
    return files.length === 0 ? [text] : files
  })
}

function splitFields(word: Word, scope: ExpansionScope): readonly Field[] {
  const fields: Field[] = []
  let open: Field | undefined
  const append = (text: string, isQuoted: boolean): void => {
    const before = open ?? { text: '', pattern: '' }
    const pattern = isQuoted ? escaped(text) : text
    open = { text: before.text + text, pattern: before.pattern + pattern }
  }
  for (const part of word) {
    const text = partText(part, scope)
    if (part.kind === 'text' || part.kind === 'glob' || part.isQuoted) {
      append(text, part.kind !== 'glob')
      continue
    }
    for (const [index, piece] of text.split(/[ \t\n]+/).entries()) {
      if (index > 0 && open !== undefined) {
        fields.push(open)
        open = undefined
      }
      if (piece !== '') append(piece, false)
    }
  }
  return open === undefined ? fields : [...fields, open]
}

/** The word as a pattern, for `case`: quoted characters have a backslash. */
export function expandPattern(word: Word, scope: ExpansionScope): string {
  return word
    .map((part) => {
      const text = partText(part, scope)
      return part.kind === 'glob' || (part.kind !== 'text' && !part.isQuoted) ? text : escaped(text)
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll(/[*?[\]\\]/g, '\\$&')
}

function hasPattern(pattern: string): boolean {
  return /(?<!\\)([*?]|\[.+\])/.test(pattern)
}

/** `"$@"` and `"${items[@]}"`, which keep their fields apart. Anywhere else in a word they are read as with `*`. */
function listOf(word: Word, scope: ExpansionScope): readonly string[] | undefined {
  const [part, ...others] = word.filter((each) => each.kind !== 'text' || each.text !== '')
  if (part?.kind !== 'variable' || !part.isQuoted || others.length > 0) return undefined
  if (part.operation !== undefined || part.isLength === true) return undefined
  if (part.index === '@') return scope.itemsOf(part.name)
  return part.name === '@' ? scope.positions() : undefined
}

function partText(part: WordPart, scope: ExpansionScope): string {
  switch (part.kind) {
    case 'text':
    case 'glob':
      return part.text
    case 'substitution':
      return scope.substituted(part).replace(/\n+$/, '')
    case 'arithmetic':
      return String(
        evaluateArithmetic(expandText(part.expression, scope), (name) => scope.lookup(name) ?? ''),
      )
    case 'variable':
      return variableText(part, scope)
  }
}

type VariablePart = WordPart & { readonly kind: 'variable' }

function valueOf({ name, index }: VariablePart, scope: ExpansionScope): string | undefined {
  if (index === '@' || index === '*') {
    const items = scope.itemsOf(name)
    return items.length === 0 ? undefined : items.join(' ')
  }
  if (index !== undefined) {
    const at = evaluateArithmetic(expandText(index, scope), (read) => scope.lookup(read) ?? '')
    return scope.itemsOf(name).at(at)
  }
  return /^[@*]$/.test(name) ? scope.positions().join(' ') : scope.lookup(name)
}

/** The word of `${name:-word}` and its like, if the value makes it count. */
export function operandOf(part: VariablePart, scope: ExpansionScope): Word | undefined {
  const { operation } = part
  if (operation === undefined) return undefined
  const { operator, word } = operation
  if (/^[%#]/.test(operator)) return word
  const value = valueOf(part, scope)
  const isMissing = value === undefined || (value === '' && operator.startsWith(':'))
  return isMissing === operator.endsWith('+') ? undefined : word
}

function variableText(part: VariablePart, scope: ExpansionScope): string {
  const value = valueOf(part, scope)
  const { name, operation, isLength } = part
  const operator = operation?.operator ?? ''
  const word = operandOf(part, scope)
  if (/^:?[-+]$/.test(operator)) {
    if (word !== undefined) return expandText(word, scope)
    if (operator.endsWith('+')) return ''
  }
  const isRefused = operator.endsWith('?') && word !== undefined
  if (isRefused || (value === undefined && scope.isUnsetFatal())) {
    // The exit code depends on the shell.
    throw new Unreadable(`$${name} is not set, under set -u or \${${name}?}`)
  }
  if (isLength === true) return String(lengthOf(part, value ?? '', scope))
  if (word === undefined || !/^[%#]/.test(operator)) return value ?? ''
  return without(
    known(value ?? '', `\${${name}${operator}…}`),
    operator,
    expandPattern(word, scope),
  )
}

function lengthOf({ name, index }: VariablePart, value: string, scope: ExpansionScope): number {
  if (index === '@' || index === '*') return scope.itemsOf(name).length
  if (/^[@*]$/.test(name)) return scope.positions().length
  const text = known(value, `\${#${name}}`)
  // dash counts bytes, the others characters.
  if (/[^\0-\u007f]/.test(text)) throw new Unreadable(`\${#${name}} of a text that is not ASCII`)
  return text.length
}

/** Longer values are not searched for what to remove. */
const maxSearched = 4096

/** The value without the shortest (`%`, `#`) or longest (`%%`, `##`) part at its end or start that the pattern fits. */
function without(value: string, operator: string, pattern: string): string {
  const characters = Array.from(value)
  if (characters.length > maxSearched) throw new Unreadable('a long value with a part removed')
  const expression = patternExpression(pattern)
  const lengths = characters.map((_, index) => index)
  lengths.push(characters.length)
  if (operator.length === 2) lengths.reverse()
  const isAtEnd = operator.startsWith('%')
  for (const length of lengths) {
    const split = isAtEnd ? characters.length - length : length
    const [start, end] = [characters.slice(0, split).join(''), characters.slice(split).join('')]
    if (expression.test(isAtEnd ? end : start)) return isAtEnd ? start : end
  }
  return value
}
