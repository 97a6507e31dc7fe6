import { evaluateArithmetic } from './arithmetic.ts'
import type { Word, WordPart } from './syntax/syntax.ts'
import { Unreadable } from './unreadable.ts'

/** What a word can refer to while it is expanded. */
export interface ExpansionScope {
  /** The value of a variable, of `?`, `$`, `!`, `#` or a position; undefined when it is not set. */
  readonly lookup: (name: string) => string | undefined
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
  if (isAllPositions(word)) return scope.positions()
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

/** `"$@"`, which keeps the positions apart. Anywhere else in a word it is read as `"$*"`. */
function isAllPositions(word: Word): boolean {
  const [part, ...others] = word.filter((each) => each.kind !== 'text' || each.text !== '')
  return part?.kind === 'variable' && part.name === '@' && part.isQuoted && others.length === 0
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

function variableText(
  part: WordPart & { readonly kind: 'variable' },
  scope: ExpansionScope,
): string {
  const value = /^[@*]$/.test(part.name) ? scope.positions().join(' ') : scope.lookup(part.name)
  const { fallback } = part
  const isMissing = value === undefined || (value === '' && fallback?.alsoWhenEmpty === true)
  if (fallback !== undefined && isMissing) return expandText(fallback.word, scope)
  if (value === undefined && scope.isUnsetFatal()) {
    // The exit code depends on the shell.
    throw new Unreadable(`$${part.name} is not set, under set -u`)
  }
  return value ?? ''
}
