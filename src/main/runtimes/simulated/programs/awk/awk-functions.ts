import { Unreadable } from '../../shell/unreadable.ts'
import type { PosixExpression } from '../posix-expression.ts'
import type { AwkRecord } from './awk-record.ts'
import { splitText } from './awk-record.ts'
import type { BuiltinFunction, Expression, Place } from './awk-syntax.ts'
import type { Value } from './awk-value.ts'
import { formatted, numberOf, textOf } from './awk-value.ts'

/** What the functions need of a program that runs. */
interface AwkState {
  readonly record: AwkRecord
  readonly value: (expression: Expression) => Value
  readonly lookup: (name: string) => Value
  readonly set: (name: string, value: Value) => void
  readonly assign: (to: Place, value: Value) => void
  readonly array: (name: string) => Map<string, Value>
  readonly isArray: (name: string) => boolean
  readonly expression: (pattern: string) => PosixExpression
  /** The pattern of an operand that may be one, and otherwise is a text. */
  readonly patternOf: (operand: Expression) => PosixExpression
}

/** Calls a function of awk. Throws Unreadable for operands that it does not have. */
export function callBuiltin(
  run: AwkState,
  name: BuiltinFunction,
  given: readonly Expression[],
): Value {
  const [first, second, third, ...others] = given
  const text = (of: Expression | undefined): string => {
    const found = of === undefined ? run.record.text : textOf(run.value(of))
    // Whether a character is one or several depends on the build of busybox.
    if (/[^\0-\x7f]/.test(found)) throw new Unreadable(`awk ${name} of text that is not ASCII`)
    return found
  }
  const needs = (least: number, most: number): void => {
    if (given.length < least || given.length > most || (others.length > 0 && name !== 'sprintf'))
      throw new Unreadable(`awk ${name} with ${given.length} operands`)
  }
  switch (name) {
    case 'length':
      needs(0, 1)
      if (first?.kind === 'name' && run.isArray(first.name)) return run.array(first.name).size
      return text(first).length
    case 'substr': {
      needs(2, 3)
      const whole = text(first)
      const from = Math.trunc(numberOf(second === undefined ? 1 : run.value(second)))
      const length = third === undefined ? Infinity : Math.trunc(numberOf(run.value(third)))
      // busybox counts the length from the first character, not from a place before it.
      const start = Math.max(0, from - 1)
      return whole.slice(start, start + Math.max(0, length))
    }
    case 'index':
      needs(2, 2)
      return text(first).indexOf(text(second)) + 1
    case 'split':
      needs(2, 3)
      return split(run, text(first), second, third)
    case 'sub':
    case 'gsub':
      needs(2, 3)
      return substitute(run, name === 'gsub', given)
    case 'match': {
      needs(2, 2)
      const whole = text(first)
      const found = second === undefined ? undefined : run.patternOf(second).exec(whole, 0)
      run.set('RSTART', found === undefined ? 0 : found.index + 1)
      run.set('RLENGTH', found === undefined ? -1 : found.end - found.index)
      return run.lookup('RSTART')
    }
    case 'sprintf': {
      const [format, ...values] = given.map((one) => run.value(one))
      return formatted(textOf(format), values)
    }
    case 'toupper':
    case 'tolower': {
      needs(1, 1)
      const whole = text(first)
      return whole.replaceAll(name === 'toupper' ? /[a-z]/g : /[A-Z]/g, (letter) =>
        name === 'toupper' ? letter.toUpperCase() : letter.toLowerCase(),
      )
    }
    case 'int':
      needs(1, 1)
      return Math.trunc(numberOf(first === undefined ? 0 : run.value(first))) + 0
  }
}

function split(
  run: AwkState,
  text: string,
  to: Expression | undefined,
  by: Expression | undefined,
): number {
  if (to?.kind !== 'name') throw new Unreadable('awk split without an array')
  // A pattern of one character is still a pattern.
  const given = by?.kind === 'expression' ? by.pattern : undefined
  const plain = textOf(by === undefined ? run.lookup('FS') : run.value(by))
  const separator = given === undefined ? plain : given.length === 1 ? `[${given}]` : given
  const parts = splitText(text, separator, (pattern) => run.expression(pattern))
  const array = run.array(to.name)
  array.clear()
  parts.forEach((part, index) => array.set(String(index + 1), { text: part }))
  return parts.length
}

/** `&` is the match, `\\&` an ampersand. */
function replacementParts(text: string): readonly (string | 0)[] {
  return (text.match(/\\[^]|&|[^\\&]+|\\/g) ?? []).map((part) =>
    part === '&' ? 0 : /^\\[&\\]$/.test(part) ? part.slice(1) : part,
  )
}

function substitute(run: AwkState, isGlobal: boolean, given: readonly Expression[]): number {
  const [pattern, by, place = { kind: 'field', index: { kind: 'number', value: 0 } } as const] =
    given
  if (pattern === undefined || by === undefined) return 0
  if (place.kind !== 'name' && place.kind !== 'field' && place.kind !== 'element')
    throw new Unreadable('awk sub of a text')
  const expression = run.patternOf(pattern)
  const parts = replacementParts(textOf(run.value(by)))
  const text = textOf(run.value(place))
  let result = ''
  let count = 0
  let at = 0
  while (at <= text.length && (isGlobal || count === 0)) {
    const match = expression.exec(text, at)
    if (match === undefined) break
    // busybox and others do not replace the same empty matches.
    if (isGlobal && match.end === match.index) throw new Unreadable('awk gsub of an empty match')
    result += text.slice(at, match.index)
    result += parts.map((part) => (part === 0 ? text.slice(match.index, match.end) : part)).join('')
    count++
    at = match.end
  }
  // Also where nothing has changed, as in busybox: a field puts the record together again.
  run.assign(place, result + text.slice(at))
  return count
}
