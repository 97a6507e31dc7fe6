import { ownField } from '../../json.ts'
import { qualifiedNameProblems } from '../validation/name-rules.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'

type Labels = Readonly<Record<string, string>>

/** True for the selected labels. */
export type LabelMatcher = (labels: Labels) => boolean

interface Token {
  readonly kind: 'word' | 'symbol' | 'end'
  readonly text: string
}

const end: Token = { kind: 'end', text: '' }

function tokens(selector: string): readonly Token[] {
  const found = selector.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? []
  return found.map((text) => ({
    kind: /^(==|!=|[=!<>(),])$/.test(text) ? 'symbol' : 'word',
    text,
  }))
}

/** Thrown at the first token that the parser cannot read; `labelSelector` catches it. */
class SelectorError extends Error {}

function unexpected(found: string, expected: string): SelectorError {
  return new SelectorError(`found '${found}', expected: ${expected}`)
}

function invalidRequirement(message: string): SelectorError {
  return new SelectorError(`unable to parse requirement: ${message}`)
}

function checkedKey(key: string): string {
  const problems = qualifiedNameProblems(key)
  if (problems.length === 0) return key
  const shown = JSON.stringify(key)
  throw invalidRequirement(`<nil>: Invalid value: ${shown}: ${problems.join('; ')}`)
}

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(selector: string) {
    this.#tokens = tokens(selector)
  }

  requirements(): readonly LabelMatcher[] {
    const matchers: LabelMatcher[] = []
    if (this.#peek() === end) return matchers
    for (;;) {
      matchers.push(this.#requirement())
      const token = this.#take()
      if (token === end) return matchers
      if (token.text !== ',') {
        throw unexpected(token.text, "',' or 'end of string'")
      }
      const following = this.#peek()
      if (following === end || (following.kind === 'symbol' && following.text !== '!')) {
        throw unexpected(following.text, "identifier after ','")
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? end
  }

  #take(): Token {
    const token = this.#peek()
    this.#next++
    return token
  }

  #requirement(): LabelMatcher {
    if (this.#peek().text === '!') {
      this.#take()
      const token = this.#take()
      if (token.kind !== 'word') {
        throw invalidRequirement(`found '${token.text}', expected: identifier`)
      }
      const absent = checkedKey(token.text)
      return (labels) => !Object.hasOwn(labels, absent)
    }
    const key = checkedKey(this.#word())
    const operator = this.#peek()
    if (operator === end || operator.text === ',') return (labels) => Object.hasOwn(labels, key)
    this.#take()
    return this.#comparison(key, operator.text)
  }

  #comparison(key: string, operator: string): LabelMatcher {
    switch (operator) {
      case '=':
      case '==': {
        const value = this.#value()
        return (labels) => ownField(labels, key) === value
      }
      case '!=': {
        const value = this.#value()
        return (labels) => ownField(labels, key) !== value
      }
      case 'in': {
        const values = this.#values()
        return (labels) => Object.hasOwn(labels, key) && values.has(ownField(labels, key) ?? '')
      }
      case 'notin': {
        const values = this.#values()
        return (labels) => !Object.hasOwn(labels, key) || !values.has(ownField(labels, key) ?? '')
      }
      case '>':
      case '<':
        return this.#number(key, operator)
      default:
        throw invalidRequirement(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`)
    }
  }

  #number(key: string, operator: '>' | '<'): LabelMatcher {
    const value = this.#value()
    const limit = Number(value)
    if (!/^-?\d+$/.test(value)) {
      throw invalidRequirement(
        `values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
      )
    }
    return (labels) => {
      const text = ownField(labels, key) ?? ''
      if (!/^-?\d+$/.test(text)) return false
      return operator === '>' ? Number(text) > limit : Number(text) < limit
    }
  }

  #word(): string {
    const token = this.#take()
    if (token.kind === 'word') return token.text
    throw unexpected(token.text, "!, identifier, or 'end of string'")
  }

  /** The value after `=`; a missing value is empty. */
  #value(): string {
    return this.#peek().kind === 'word' ? this.#take().text : ''
  }

  #values(): ReadonlySet<string> {
    const open = this.#take()
    if (open.text !== '(') {
      throw invalidRequirement(`found '${open.text}' expected: '('`)
    }
    const values = new Set<string>()
    for (;;) {
      values.add(this.#value())
      const token = this.#take()
      if (token.text === ')') return values
      if (token.text !== ',') {
        throw invalidRequirement(`found '${token.text}', expected: ',' or ')'`)
      }
    }
  }
}

/**
 * Parses a label selector: `a=b,c!=d,e in (f,g),!h,i>5`. An absent key satisfies `!=` and `notin`. The error is the message of
 * the answer 400.
 * Source: apimachinery pkg/labels/selector.go.
 */
export function labelSelector(selector: string): Result<LabelMatcher, string> {
  try {
    const requirements = new Parser(selector).requirements()
    return ok((labels) => requirements.every((matches) => matches(labels)))
  } catch (error) {
    if (error instanceof SelectorError) return err(error.message)
    throw error
  }
}
