import { evaluateArithmetic } from './arithmetic.ts'
import type { SimpleCommand, Word, WordPart } from './syntax.ts'
import { Unreadable, unknownText } from './unreadable.ts'

/** What a word can refer to while it is expanded. */
export interface ExpansionScope {
  /** The value of a variable, of `?`, `$`, `!`, `#` or a position; undefined when it is not set. */
  readonly lookup: (name: string) => string | undefined
  readonly positions: readonly string[]
  /** `set -u`: a variable that is not set stops the shell. */
  readonly isUnsetFatal: boolean
  /** Runs a command and returns what it printed. */
  readonly substitute: (command: SimpleCommand) => string
}

/** Longer values are refused, because they would use up the program's memory. */
const maxLength = 65_536

/** The word as one text, without splitting: for assignments, and inside `[[ … ]]`. */
export function expandText(word: Word, scope: ExpansionScope): string {
  let text = ''
  for (const part of word) text += partText(part, scope)
  if (text.length > maxLength) throw new Unreadable('a value that is too long')
  return text
}

/** The fields that a word becomes: unquoted expansions are split at blanks, empty ones vanish. */
export function expandFields(word: Word, scope: ExpansionScope): readonly string[] {
  if (isAllPositions(word)) return scope.positions
  const fields: string[] = []
  let open: string | undefined
  for (const part of word) {
    const text = partText(part, scope)
    if (part.kind === 'text' || part.kind === 'unknown' || part.isQuoted) {
      open = (open ?? '') + text
      continue
    }
    const pieces = text.split(/[ \t\n]+/)
    pieces.forEach((piece, index) => {
      if (index > 0 && open !== undefined) {
        fields.push(open)
        open = undefined
      }
      if (piece !== '') open = (open ?? '') + piece
    })
  }
  return open === undefined ? fields : [...fields, open]
}

/** `"$@"`, which keeps the positions apart. Anywhere else in a word it is read as `"$*"`. */
function isAllPositions(word: Word): boolean {
  const [part, ...others] = word.filter((each) => each.kind !== 'text' || each.text !== '')
  return part?.kind === 'variable' && part.name === '@' && part.isQuoted && others.length === 0
}

function partText(part: WordPart, scope: ExpansionScope): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'unknown':
      return unknownText
    case 'substitution':
      return scope.substitute(part.command).replace(/\n+$/, '')
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
  const value = /^[@*]$/.test(part.name) ? scope.positions.join(' ') : scope.lookup(part.name)
  const { fallback } = part
  const isMissing = value === undefined || (value === '' && fallback?.alsoWhenEmpty === true)
  if (fallback !== undefined && isMissing) return expandText(fallback.word, scope)
  if (value === undefined && scope.isUnsetFatal) {
    // The exit code depends on the shell.
    throw new Unreadable(`$${part.name} is not set, under set -u`)
  }
  return value ?? ''
}
