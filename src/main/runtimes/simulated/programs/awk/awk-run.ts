import { Unreadable } from '../../shell/unreadable.ts'
import type { PosixExpression } from '../posix-expression.ts'
import { posixExpression } from '../posix-expression.ts'
import type { Expression, Place, Rule, Statement } from './awk-syntax.ts'
import type { Value } from './awk-value.ts'
import { compared, formatted, isTrue, numberOf, textOf } from './awk-value.ts'
import { callBuiltin } from './awk-functions.ts'
import { AwkRecord } from './awk-record.ts'

/** More steps are taken for a program without an end. */
const maxSteps = 3_000_000
const maxOutput = 16 * 1024 * 1024

/** How control leaves a statement; undefined: the next one runs. */
type Flow = 'next' | 'break' | 'continue' | 'exit' | undefined

/** The state of a program while it runs. It prints into `output`, which is for the caller to take. */
export class AwkRun {
  readonly #rules: readonly Rule[]
  readonly #globals = new Map<string, Value>([
    ['FS', ' '],
    ['OFS', ' '],
    ['ORS', '\n'],
    ['RS', '\n'],
    ['SUBSEP', '\x1c'],
    ['NR', 0],
    ['FNR', 0],
    ['FILENAME', undefined],
  ])
  readonly #arrays = new Map<string, Map<string, Value>>()
  readonly #expressions = new Map<string, PosixExpression>()
  /** The ranges that have begun. */
  readonly #ranges = new Set<Rule>()
  readonly record = new AwkRecord({
    separator: () => textOf(this.lookup('FS')),
    outputSeparator: () => textOf(this.lookup('OFS')),
    expression: (pattern) => this.expression(pattern),
  })
  #steps = 0
  #length = 0
  #output: { text: string; stream: 'stdout' | 'stderr' }[] = []
  status = 0
  hasExited = false

  constructor(rules: readonly Rule[]) {
    this.#rules = rules
  }

  get needsInput(): boolean {
    return this.#rules.some(({ pattern }) => pattern !== 'BEGIN')
  }

  /** What was printed since it was taken last. */
  takeOutput(): readonly { readonly text: string; readonly stream: 'stdout' | 'stderr' }[] {
    const output = this.#output
    this.#output = []
    this.#length = 0
    return output
  }

  begin(): void {
    this.#runRules('BEGIN')
  }

  /** Runs also after `exit`, which ends it then. */
  end(): void {
    this.hasExited = false
    this.#runRules('END')
  }

  line(text: string): void {
    if (textOf(this.lookup('RS')) !== '\n') throw new Unreadable('awk with another RS')
    this.record.set(text)
    for (const name of ['NR', 'FNR']) this.set(name, numberOf(this.lookup(name)) + 1)
    for (const rule of this.#rules) {
      if (!this.#isFor(rule)) continue
      const flow = this.#run(rule.action)
      if (flow === 'exit') this.hasExited = true
      if (flow === 'exit' || flow === 'next') return
    }
  }

  lookup(name: string): Value {
    return name === 'NF' ? this.record.count : this.#globals.get(name)
  }

  set(name: string, value: Value): void {
    if (this.#arrays.has(name)) throw new Unreadable(`awk uses ${name} as an array and not`)
    if (name === 'NF') this.record.setCount(numberOf(value))
    else this.#globals.set(name, value)
  }

  array(name: string): Map<string, Value> {
    if (this.#globals.has(name) || name === 'NF')
      throw new Unreadable(`awk uses ${name} as an array and not`)
    const known = this.#arrays.get(name)
    if (known !== undefined) return known
    const made = new Map<string, Value>()
    this.#arrays.set(name, made)
    return made
  }

  isArray(name: string): boolean {
    return this.#arrays.has(name)
  }

  expression(pattern: string): PosixExpression {
    const known = this.#expressions.get(pattern)
    if (known !== undefined) return known
    const made = posixExpression(pattern, { isExtended: true }, 'awk')
    this.#expressions.set(pattern, made)
    return made
  }

  patternOf(operand: Expression): PosixExpression {
    return this.expression(
      operand.kind === 'expression' ? operand.pattern : textOf(this.value(operand)),
    )
  }

  #runRules(pattern: 'BEGIN' | 'END'): void {
    for (const rule of this.#rules) {
      if (rule.pattern !== pattern) continue
      if (this.#run(rule.action) === 'exit') {
        this.hasExited = true
        return
      }
    }
  }

  #isFor(rule: Rule): boolean {
    const { pattern } = rule
    if (typeof pattern === 'string') return pattern === 'always'
    if (pattern.to === undefined) return isTrue(this.value(pattern.from))
    if (!this.#ranges.has(rule) && !isTrue(this.value(pattern.from))) return false
    if (isTrue(this.value(pattern.to))) this.#ranges.delete(rule)
    else this.#ranges.add(rule)
    return true
  }

  #print(text: string, stream: 'stdout' | 'stderr'): void {
    this.#length += text.length
    if (this.#length > maxOutput) throw new Unreadable('awk that prints too much')
    const last = this.#output.at(-1)
    if (last?.stream === stream) last.text += text
    else this.#output.push({ text, stream })
  }

  #run(statement: Statement): Flow {
    if (++this.#steps > maxSteps) throw new Unreadable('awk that runs too long')
    switch (statement.kind) {
      case 'block':
        for (const one of statement.body) {
          const flow = this.#run(one)
          if (flow !== undefined) return flow
        }
        return undefined
      case 'expression':
        this.value(statement.value)
        return undefined
      case 'print': {
        const { given, stream } = statement
        const texts = given.map((one) => textOf(this.value(one)))
        const text = given.length === 0 ? this.record.text : texts.join(textOf(this.lookup('OFS')))
        this.#print(text + textOf(this.lookup('ORS')), stream)
        return undefined
      }
      case 'printf': {
        const [format, ...values] = statement.given.map((one) => this.value(one))
        this.#print(formatted(textOf(format), values), statement.stream)
        return undefined
      }
      case 'if':
        if (isTrue(this.value(statement.test))) return this.#run(statement.met)
        return statement.otherwise === undefined ? undefined : this.#run(statement.otherwise)
      case 'loop':
        return this.#loop(statement)
      case 'each':
        // In the order in which they came; a real awk has that of its hash table.
        for (const key of this.array(statement.array).keys()) {
          this.set(statement.name, { text: key })
          const flow = this.#run(statement.body)
          if (flow === 'break') return undefined
          if (flow !== undefined && flow !== 'continue') return flow
        }
        return undefined
      case 'exit':
        if (statement.status !== undefined)
          this.status = numberOf(this.value(statement.status)) & 255
        return 'exit'
      case 'delete':
        if (statement.key === undefined) this.array(statement.array).clear()
        else this.array(statement.array).delete(this.#key(statement.key))
        return undefined
      default:
        return statement.kind
    }
  }

  #loop(loop: Statement & { readonly kind: 'loop' }): Flow {
    const { test, after, body, isTestedAfter } = loop
    for (let isFirst = isTestedAfter; ; isFirst = false) {
      if (!isFirst && test !== undefined && !isTrue(this.value(test))) return undefined
      const flow = this.#run(body)
      if (flow === 'break') return undefined
      if (flow !== undefined && flow !== 'continue') return flow
      if (after !== undefined) this.#run(after)
      if (++this.#steps > maxSteps) throw new Unreadable('awk that runs too long')
    }
  }

  /** A key that is asked for is there from then on. */
  #element(name: string, key: string): Value {
    const array = this.array(name)
    if (!array.has(key)) array.set(key, undefined)
    return array.get(key)
  }

  /** The same place, with what its index is now. */
  #resolved(place: Place): Place {
    if (place.kind === 'name') return place
    if (place.kind === 'field')
      return { kind: 'field', index: { kind: 'number', value: this.#index(place.index) } }
    return { ...place, key: [{ kind: 'string', value: this.#key(place.key) }] }
  }

  #key(key: readonly Expression[]): string {
    return key.map((one) => textOf(this.value(one))).join(textOf(this.lookup('SUBSEP')))
  }

  value(expression: Expression): Value {
    switch (expression.kind) {
      case 'number':
      case 'string':
        return expression.value
      case 'expression':
        return this.expression(expression.pattern).test(this.record.text) ? 1 : 0
      case 'name':
        if (this.isArray(expression.name)) throw new Unreadable('awk with an array as a value')
        return this.lookup(expression.name)
      case 'field':
        return this.record.field(this.#index(expression.index))
      case 'element':
        return this.#element(expression.array, this.#key(expression.key))
      case 'assign': {
        const { operator } = expression
        const to = this.#resolved(expression.to)
        const given = this.value(expression.value)
        const value =
          operator === '' ? given : calculated(operator, numberOf(this.value(to)), numberOf(given))
        this.assign(to, value)
        return value
      }
      case 'step': {
        const of = this.#resolved(expression.of)
        const before = numberOf(this.value(of))
        this.assign(of, before + expression.by)
        return expression.isBefore ? before + expression.by : before
      }
      case 'unary':
        if (expression.operator === '!') return isTrue(this.value(expression.of)) ? 0 : 1
        return (expression.operator === '-' ? -1 : 1) * numberOf(this.value(expression.of)) + 0
      case 'binary':
        return this.#binary(expression)
      case 'choice':
        return this.value(
          isTrue(this.value(expression.test)) ? expression.met : expression.otherwise,
        )
      case 'in':
        return this.array(expression.array).has(textOf(this.value(expression.key))) ? 1 : 0
      case 'call':
        return callBuiltin(this, expression.name, expression.given)
    }
  }

  #index(expression: Expression): number {
    const index = Math.trunc(numberOf(this.value(expression)))
    if (index < 0 || index > 10_000) throw new Unreadable(`awk with the field ${index}`)
    return index
  }

  assign(to: Place, value: Value): void {
    switch (to.kind) {
      case 'name':
        this.set(to.name, value)
        return
      case 'field':
        this.record.setField(this.#index(to.index), value)
        return
      case 'element':
        this.array(to.array).set(this.#key(to.key), value)
    }
  }

  #binary({ operator, left, right }: Expression & { readonly kind: 'binary' }): Value {
    switch (operator) {
      case '&&':
        return isTrue(this.value(left)) && isTrue(this.value(right)) ? 1 : 0
      case '||':
        return isTrue(this.value(left)) || isTrue(this.value(right)) ? 1 : 0
      case '~':
      case '!~': {
        const text = textOf(this.value(left))
        return this.patternOf(right).test(text) === (operator === '~') ? 1 : 0
      }
      case ' ': {
        const first = textOf(this.value(left))
        return first + textOf(this.value(right))
      }
      default: {
        const [one, other] = [this.value(left), this.value(right)]
        const holds = comparisons[operator]
        if (holds !== undefined) return holds(compared(one, other)) ? 1 : 0
        return calculated(operator, numberOf(one), numberOf(other))
      }
    }
  }
}

const comparisons: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '==': (difference) => difference === 0,
  '!=': (difference) => difference !== 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
}

function calculated(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '^':
      return left ** right
    default:
      if (right === 0) throw new Unreadable('awk that divides by zero')
      return operator === '/' ? left / right : left % right
  }
}
