import { known, Unreadable } from './unreadable.ts'

const token = /\s*(\d\w*|[A-Za-z_]\w*|<=|>=|==|!=|&&|\|\||[-+*/%()<>!])/y

/** Operators by precedence, lowest first. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]

/**
 * The value of `$((…))` with whole numbers, variables and the operators that every shell has, without assignments,
 * bits and the ternary. Throws Unreadable, also where shells stop with an error.
 */
export function evaluateArithmetic(text: string, lookup: (name: string) => string): number {
  const evaluation = new Evaluation(tokensOf(known(text, '$((…))')), lookup)
  return evaluation.whole()
}

function tokensOf(text: string): readonly string[] {
  if (text.length > 1000) throw new Unreadable('an expression that is too long')
  const tokens: string[] = []
  let at = 0
  const trimmed = text.trimEnd()
  while (at < trimmed.length) {
    token.lastIndex = at
    const match = token.exec(trimmed)
    if (match?.[1] === undefined) throw new Unreadable(`$((${text})) is not read`)
    tokens.push(match[1])
    at = token.lastIndex
  }
  return tokens
}

class Evaluation {
  readonly #tokens: readonly string[]
  readonly #lookup: (name: string) => string
  #at = 0

  constructor(tokens: readonly string[], lookup: (name: string) => string) {
    this.#tokens = tokens
    this.#lookup = lookup
  }

  whole(): number {
    if (this.#tokens.length === 0) return 0
    const value = this.#binary(0)
    if (this.#at < this.#tokens.length) throw new Unreadable('an expression that does not end')
    return value
  }

  #binary(level: number): number {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    let value = this.#binary(level + 1)
    for (;;) {
      const operator = this.#tokens[this.#at]
      if (operator === undefined || !operators.includes(operator)) return value
      this.#at++
      value = apply(operator, value, this.#binary(level + 1))
    }
  }

  #unary(): number {
    const next = this.#tokens[this.#at++]
    if (next === undefined) throw new Unreadable('an expression that ends too early')
    if (next === '-') return -this.#unary() + 0
    if (next === '+') return this.#unary()
    if (next === '!') return this.#unary() === 0 ? 1 : 0
    if (next === '(') {
      const value = this.#binary(0)
      if (this.#tokens[this.#at++] !== ')') throw new Unreadable(') is missing')
      return value
    }
    return /^[A-Za-z_]/.test(next) ? variableValue(next, this.#lookup) : numberValue(next)
  }
}

function variableValue(name: string, lookup: (name: string) => string): number {
  const text = known(lookup(name), `$((${name}))`).trim()
  const match = /^([-+]?)(\w+)$/.exec(text)
  if (text === '') return 0
  // Shells differ over a variable that names another one.
  if (match?.[2] === undefined) throw new Unreadable(`$((${name})) is not a number`)
  return numberValue(match[2]) * (match[1] === '-' ? -1 : 1)
}

function numberValue(text: string): number {
  const isNumber = /^(0|[1-9]\d*|0[0-7]+|0[xX][\da-fA-F]+)$/.test(text)
  if (!isNumber) throw new Unreadable(`${text} is not a number that every shell takes`)
  return /^0[0-7]/.test(text) ? Number.parseInt(text, 8) : inRange(Number(text))
}

function inRange(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Unreadable('a number that is too large')
  return value + 0
}

function apply(operator: string, left: number, right: number): number {
  switch (operator) {
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0
    case '==':
      return left === right ? 1 : 0
    case '!=':
      return left !== right ? 1 : 0
    case '<':
      return left < right ? 1 : 0
    case '<=':
      return left <= right ? 1 : 0
    case '>':
      return left > right ? 1 : 0
    case '>=':
      return left >= right ? 1 : 0
    case '+':
      return inRange(left + right)
    case '-':
      return inRange(left - right)
    case '*':
      return inRange(left * right)
    default:
      if (right === 0) throw new Unreadable('a division by zero')
      return inRange(operator === '/' ? Math.trunc(left / right) : left % right)
  }
}
