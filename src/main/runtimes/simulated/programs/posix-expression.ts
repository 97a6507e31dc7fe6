import { Unreadable } from '../shell/unreadable.ts'

/** A match in a text. `groups[0]` is the whole match; the others are `\1`, `\2` … */
export interface Match {
  readonly index: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

/** A basic or extended regular expression of POSIX. */
export interface PosixExpression {
  readonly test: (text: string) => boolean
  /** The leftmost and there the longest match from `from` on. */
  readonly exec: (text: string, from: number) => Match | undefined
}

interface Kind {
  readonly isExtended: boolean
  readonly ignoresCase?: boolean
  readonly isWhole?: boolean
}

const classes: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  print: ' -~',
  graph: '!-~',
  cntrl: '\\x00-\\x1f\\x7f',
  xdigit: '0-9A-Fa-f',
}

/** What a backslash before a letter means. */
const escapes: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
  b: '\\b',
  B: '\\B',
  '<': '\\b(?=\\w)',
  '>': '\\b(?<=\\w)',
}

function literal(character: string): string {
  return /[$()*+./?[\\\]^{|}-]/.test(character) ? `\\${character}` : character
}

/** A bracket expression from its `[` on, and what is left after it. */
function bracket(pattern: string, at: number): readonly [source: string, end: number] | undefined {
  let next = at + 1
  const isNegated = pattern[next] === '^'
  if (isNegated) next++
  let source = ''
  for (let isFirst = true; isFirst || pattern[next] !== ']'; isFirst = false) {
    const character = pattern[next]
    if (character === undefined) return undefined
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(next))
    const set = classes[named?.[1] ?? '']
    if (named !== null && set !== undefined) {
      source += set
      next += named[0].length
    } else if (character === '[' && /[.:=]/.test(pattern[next + 1] ?? '')) return undefined
    else if (character === '\\' && /[nt]/.test(pattern[next + 1] ?? '')) {
      source += pattern.slice(next, next + 2)
      next += 2
    } else {
      const isRange = character === '-' && source !== '' && pattern[next + 1] !== ']'
      source += isRange ? '-' : literal(character)
      next++
    }
  }
  return [`[${isNegated ? '^' : ''}${source}]`, next + 1]
}

/** JavaScript's source for the pattern; undefined for what is not read. `isPlain`: JavaScript's match is the longest. */
function sourceOf(
  pattern: string,
  { isExtended }: Kind,
): { readonly source: string; readonly isPlain: boolean } | undefined {
  let source = ''
  let isPlain = true
  let isAtStart = true
  const isEnd = (at: number): boolean =>
    at === pattern.length ||
    (isExtended ? /[)|]/.test(pattern[at] ?? '') : /^\\[)|]/.test(pattern.slice(at, at + 2)))
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] ?? ''
    const isEscaped = character === '\\'
    const letter = isEscaped ? (pattern[at + 1] ?? '') : character
    if (isEscaped && letter === '') return undefined
    const length = isEscaped ? 2 : 1
    const wasAtStart = isAtStart
    isAtStart = false
    if (/[(){}|+?]/.test(letter) && isEscaped !== isExtended) {
      // An operator of this kind of expression.
      if (letter === '{') {
        const interval = (isExtended ? /^\{(\d*)(,?)(\d*)\}/ : /^\\\{(\d*)(,?)(\d*)\\\}/).exec(
          pattern.slice(at),
        )
        if (interval === null || wasAtStart) return undefined
        const [whole, from = '', comma = '', to = ''] = interval
        source += `{${from || '0'}${comma}${to}}`
        isPlain = false
        at += whole.length
        continue
      }
      if (letter === '}' || (wasAtStart && /[+?]/.test(letter))) return undefined
      if (letter === '|' || letter === '?' || source.endsWith(')')) isPlain = false
      source += letter
      isAtStart = letter === '(' || letter === '|'
    } else if (isEscaped) {
      const known = escapes[letter]
      if (/[1-9]/.test(letter)) source += `(?:\\${letter})`
      else if (known !== undefined) source += known
      else if (/[a-zA-Z0]/.test(letter)) return undefined
      else source += letter === '\n' ? '\\n' : literal(letter)
    } else if (character === '[') {
      const found = bracket(pattern, at)
      if (found === undefined) return undefined
      source += found[0]
      at = found[1]
      continue
    } else if (character === '.') source += '[^]'
    else if (character === '*' && wasAtStart) {
      if (isExtended) return undefined
      source += '\\*'
    } else if (character === '*') {
      if (source.endsWith(')')) isPlain = false
      source += '*'
    } else if (character === '^' && (wasAtStart || isExtended)) {
      source += '^'
      isAtStart = true
    } else if (character === '$' && (isExtended || isEnd(at + 1))) source += '$'
    else source += character === '\n' ? '\\n' : literal(character)
    at += length
  }
  return { source, isPlain }
}

/** The longest match at the place of a match. */
function longest(
  text: string,
  found: RegExpExecArray,
  ending: (rest: number) => RegExp,
): RegExpExecArray {
  const end = found.index + found[0].length
  for (let rest = 0; rest < text.length - end; rest++) {
    const expression = ending(rest)
    expression.lastIndex = found.index
    const longer = expression.exec(text)
    if (longer !== null) return longer
  }
  return found
}

/** Reads an expression; `program` names the one that wants it. Throws Unreadable for what is not read. */
export function posixExpression(pattern: string, kind: Kind, program: string): PosixExpression {
  const read = sourceOf(pattern, kind)
  if (read === undefined) throw new Unreadable(`${program} ${pattern}`)
  const source = kind.isWhole === true ? `^(?:${read.source})$` : read.source
  const letters = kind.ignoresCase === true ? 'i' : ''
  let expression: RegExp
  try {
    expression = new RegExp(source, `${letters}g`)
  } catch {
    throw new Unreadable(`${program} ${pattern}`)
  }
  const endings = new Map<number, RegExp>()
  const ending = (rest: number): RegExp => {
    const known = endings.get(rest)
    if (known !== undefined) return known
    const made = new RegExp(`(?:${source})(?=[^]{${rest}}$)`, `${letters}y`)
    endings.set(rest, made)
    return made
  }
  const exec = (text: string, from: number): Match | undefined => {
    expression.lastIndex = from
    const first = expression.exec(text)
    if (first === null) return undefined
    const found = read.isPlain ? first : longest(text, first, ending)
    return { index: found.index, end: found.index + found[0].length, groups: [...found] }
  }
  const test = (text: string): boolean => {
    expression.lastIndex = 0
    return expression.test(text)
  }
  return { test, exec }
}
