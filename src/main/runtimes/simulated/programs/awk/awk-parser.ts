import { Unreadable } from '../../shell/unreadable.ts'
import type { Token } from './awk-lexer.ts'
import { tokensOf } from './awk-lexer.ts'
import type { BuiltinFunction, Expression, Place, Rule, Statement } from './awk-syntax.ts'

const functions: readonly BuiltinFunction[] = [
  'length',
  'substr',
  'index',
  'split',
  'sub',
  'gsub',
  'match',
  'sprintf',
  'toupper',
  'tolower',
  'int',
]

const unread = /^(getline|function|func|return|system|close|fflush|rand|srand|nextfile)$/

/** From the loosest to the tightest; what is between them has rules of its own. */
const binaries: readonly (readonly string[])[] = [
  ['+', '-'],
  ['*', '/', '%'],
]

class AwkParser {
  readonly #program: string
  readonly #tokens: readonly Token[]
  #at = 0
  /** Inside `print`, where `>` is a redirection; and inside `for (`, where `in` is the loop's. */
  #hasNoGreater = false

  constructor(program: string) {
    this.#program = program
    this.#tokens = tokensOf(program)
  }

  rules(): readonly Rule[] {
    const rules: Rule[] = []
    this.#skipLines()
    while (this.#token.kind !== 'end') {
      rules.push(this.#rule())
      this.#skipLines()
    }
    return rules
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #refuse(): never {
    throw new Unreadable(`awk ${this.#program}`)
  }

  #is(...signs: readonly string[]): boolean {
    return this.#token.kind === 'sign' && signs.includes(this.#token.text)
  }

  #isWord(name: string): boolean {
    return /^(name|function)$/.test(this.#token.kind) && this.#token.text === name
  }

  #take(...signs: readonly string[]): string | undefined {
    if (!this.#is(...signs)) return undefined
    return this.#tokens[this.#at++]?.text
  }

  #takeWord(name: string): boolean {
    const isThere = this.#isWord(name)
    if (isThere) this.#at++
    return isThere
  }

  #expect(sign: string): void {
    if (this.#take(sign) === undefined) this.#refuse()
  }

  #skipLines(): void {
    while (this.#take('\n', ';') !== undefined);
  }

  #skipNewlines(): void {
    while (this.#take('\n') !== undefined);
  }

  #rule(): Rule {
    const pattern = this.#pattern()
    if (!this.#is('{')) {
      if (typeof pattern === 'string') this.#refuse()
      return { pattern, action: { kind: 'print', given: [], stream: 'stdout' } }
    }
    return { pattern, action: this.#block() }
  }

  #pattern(): Rule['pattern'] {
    if (this.#is('{')) return 'always'
    for (const name of ['BEGIN', 'END'] as const) if (this.#takeWord(name)) return name
    const from = this.#expression()
    if (this.#take(',') === undefined) return { from }
    this.#skipNewlines()
    return { from, to: this.#expression() }
  }

  #block(): Statement {
    this.#expect('{')
    const body: Statement[] = []
    this.#skipLines()
    while (!this.#is('}')) {
      body.push(this.#statement())
      this.#skipLines()
    }
    this.#at++
    return { kind: 'block', body }
  }

  #endStatement(): void {
    if (this.#is('}') || this.#token.kind === 'end') return
    if (this.#take(';', '\n') === undefined) this.#refuse()
  }

  /** The body of `if`, `for` and `while`. */
  #body(): Statement {
    this.#skipNewlines()
    if (this.#take(';') !== undefined) return { kind: 'block', body: [] }
    return this.#statement()
  }

  #statement(): Statement {
    if (this.#is('{')) return this.#block()
    if (this.#takeWord('if')) return this.#if()
    if (this.#takeWord('while')) {
      const test = this.#condition()
      return { kind: 'loop', test, body: this.#body(), isTestedAfter: false }
    }
    if (this.#takeWord('do')) {
      const body = this.#body()
      this.#skipLines()
      if (!this.#takeWord('while')) this.#refuse()
      const test = this.#condition()
      this.#endStatement()
      return { kind: 'loop', test, body, isTestedAfter: true }
    }
    if (this.#takeWord('for')) return this.#for()
    const simple = this.#simple()
    this.#endStatement()
    return simple
  }

  #condition(): Expression {
    this.#expect('(')
    const test = this.#expression()
    this.#expect(')')
    return test
  }

  #if(): Statement {
    const test = this.#condition()
    const met = this.#body()
    const before = this.#at
    this.#skipLines()
    if (this.#takeWord('else')) return { kind: 'if', test, met, otherwise: this.#body() }
    this.#at = before
    return { kind: 'if', test, met }
  }

  #for(): Statement {
    this.#expect('(')
    const [name, word, array, close] = this.#tokens.slice(this.#at, this.#at + 4)
    if (
      name?.kind === 'name' &&
      word?.text === 'in' &&
      array?.kind === 'name' &&
      close?.text === ')'
    ) {
      this.#at += 4
      return { kind: 'each', name: name.text, array: array.text, body: this.#body() }
    }
    const first = this.#is(';') ? undefined : this.#simple()
    this.#expect(';')
    this.#skipNewlines()
    const test = this.#is(';') ? undefined : this.#expression()
    this.#expect(';')
    this.#skipNewlines()
    const after = this.#is(')') ? undefined : this.#simple()
    this.#expect(')')
    const loop: Statement = {
      kind: 'loop',
      ...(test === undefined ? {} : { test }),
      ...(after === undefined ? {} : { after }),
      body: this.#body(),
      isTestedAfter: false,
    }
    return first === undefined ? loop : { kind: 'block', body: [first, loop] }
  }

  #simple(): Statement {
    for (const kind of ['print', 'printf'] as const)
      if (this.#takeWord(kind)) return this.#print(kind)
    for (const kind of ['next', 'break', 'continue'] as const)
      if (this.#takeWord(kind)) return { kind }
    if (this.#takeWord('exit')) {
      if (this.#is(';', '\n', '}')) return { kind: 'exit' }
      return { kind: 'exit', status: this.#expression() }
    }
    if (this.#takeWord('delete')) {
      const array = this.#name()
      if (this.#take('[') === undefined) return { kind: 'delete', array }
      return { kind: 'delete', array, key: this.#list(']') }
    }
    return { kind: 'expression', value: this.#expression() }
  }

  #name(): string {
    if (this.#token.kind !== 'name' || unread.test(this.#token.text)) this.#refuse()
    return this.#tokens[this.#at++]?.text ?? ''
  }

  #print(kind: 'print' | 'printf'): Statement {
    const given = this.#printed()
    if (this.#take('>') === undefined) {
      if (this.#is('|', '>>')) this.#refuse()
      return { kind, given, stream: 'stdout' }
    }
    const { kind: target, text } = this.#token
    if (target !== 'string' || text !== '/dev/stderr') this.#refuse()
    this.#at++
    return { kind, given, stream: 'stderr' }
  }

  get #endsPrint(): boolean {
    return this.#is(';', '\n', '}', '>', '|') || this.#token.kind === 'end'
  }

  /** `print a, b`, or `print(a, b)`. */
  #printed(): readonly Expression[] {
    if (this.#endsPrint) return []
    const before = this.#at
    if (this.#take('(') !== undefined) {
      const inner = this.#list(')')
      if (this.#endsPrint) return inner
      this.#at = before
    }
    this.#hasNoGreater = true
    const list = [this.#expression()]
    while (this.#take(',') !== undefined) {
      this.#skipNewlines()
      list.push(this.#expression())
    }
    this.#hasNoGreater = false
    return list
  }

  /** Up to the closing sign, and that. */
  #list(close: string): readonly Expression[] {
    const outer = this.#hasNoGreater
    this.#hasNoGreater = false
    const list: Expression[] = []
    if (!this.#is(close)) {
      do {
        this.#skipNewlines()
        list.push(this.#expression())
        this.#skipNewlines()
      } while (this.#take(',') !== undefined)
    }
    this.#expect(close)
    this.#hasNoGreater = outer
    return list
  }

  #expression(): Expression {
    const left = this.#choice()
    const operator = this.#take('=', '+=', '-=', '*=', '/=', '%=', '^=')
    if (operator === undefined) return left
    this.#skipNewlines()
    const value = this.#expression()
    return { kind: 'assign', operator: operator.slice(0, -1), to: this.#place(left), value }
  }

  #place(of: Expression): Place {
    if (of.kind === 'name' || of.kind === 'field' || of.kind === 'element') return of
    return this.#refuse()
  }

  #choice(): Expression {
    const test = this.#either()
    if (this.#take('?') === undefined) return test
    this.#skipNewlines()
    const met = this.#expression()
    this.#skipNewlines()
    this.#expect(':')
    this.#skipNewlines()
    return { kind: 'choice', test, met, otherwise: this.#expression() }
  }

  #either(): Expression {
    let left = this.#both()
    while (this.#take('||') !== undefined) {
      this.#skipNewlines()
      left = { kind: 'binary', operator: '||', left, right: this.#both() }
    }
    return left
  }

  #both(): Expression {
    let left = this.#member()
    while (this.#take('&&') !== undefined) {
      this.#skipNewlines()
      left = { kind: 'binary', operator: '&&', left, right: this.#member() }
    }
    return left
  }

  #member(): Expression {
    let key = this.#matching()
    while (this.#takeWord('in')) key = { kind: 'in', key, array: this.#name() }
    return key
  }

  #matching(): Expression {
    let left = this.#comparison()
    for (let sign = this.#take('~', '!~'); sign !== undefined; sign = this.#take('~', '!~'))
      left = { kind: 'binary', operator: sign, left, right: this.#comparison() }
    return left
  }

  #comparison(): Expression {
    const left = this.#joined()
    const signs = ['<', '<=', '==', '!=', '>=', ...(this.#hasNoGreater ? [] : ['>'])]
    const operator = this.#take(...signs)
    if (operator === undefined) return left
    if (this.#is('<')) this.#refuse()
    return { kind: 'binary', operator, left, right: this.#joined() }
  }

  get #beginsOperand(): boolean {
    const { kind, text } = this.#token
    if (kind === 'sign') return /^(\$|!|\(|\+\+|--)$/.test(text)
    return kind !== 'end' && text !== 'in'
  }

  #joined(): Expression {
    let left = this.#binary(0)
    while (this.#beginsOperand && !this.#is('!'))
      left = { kind: 'binary', operator: ' ', left, right: this.#binary(0) }
    return left
  }

  #binary(level: number): Expression {
    const signs = binaries[level]
    if (signs === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (let sign = this.#take(...signs); sign !== undefined; sign = this.#take(...signs))
      left = { kind: 'binary', operator: sign, left, right: this.#binary(level + 1) }
    return left
  }

  #unary(): Expression {
    const operator = this.#take('!', '-', '+')
    if (operator === undefined) return this.#power()
    // One of the three.
    return { kind: 'unary', operator: operator as '!' | '-' | '+', of: this.#unary() }
  }

  #power(): Expression {
    const left = this.#stepped()
    if (this.#take('^', '**') === undefined) return left
    const right = this.#is('-', '+', '!') ? this.#unary() : this.#power()
    return { kind: 'binary', operator: '^', left, right }
  }

  #stepped(): Expression {
    const sign = this.#take('++', '--')
    if (sign !== undefined) {
      const of = this.#place(this.#operand())
      return { kind: 'step', by: sign === '++' ? 1 : -1, isBefore: true, of }
    }
    const operand = this.#operand()
    const after = /^(name|field|element)$/.test(operand.kind) ? this.#take('++', '--') : undefined
    if (after === undefined) return operand
    return { kind: 'step', by: after === '++' ? 1 : -1, isBefore: false, of: this.#place(operand) }
  }

  #operand(): Expression {
    const { kind, text } = this.#token
    if (unread.test(text) && /^(name|function)$/.test(kind)) this.#refuse()
    if (this.#take('$') !== undefined) {
      const sign = this.#take('-', '++', '--')
      if (sign !== undefined) this.#refuse()
      return { kind: 'field', index: this.#operand() }
    }
    if (this.#take('(') !== undefined) {
      const [inner, ...others] = this.#list(')')
      if (inner === undefined || others.length > 0) this.#refuse()
      return inner.kind === 'binary' || inner.kind === 'name' ? grouped(inner) : inner
    }
    this.#at++
    switch (kind) {
      case 'number':
        return { kind: 'number', value: Number(text) }
      case 'string':
        return { kind: 'string', value: text }
      case 'expression':
        return { kind: 'expression', pattern: text }
      case 'function':
        return this.#call(text)
      case 'name':
        if (text === 'length') return { kind: 'call', name: 'length', given: [] }
        if (functions.some((name) => name === text)) this.#refuse()
        if (this.#take('[') === undefined) return { kind: 'name', name: text }
        return { kind: 'element', array: text, key: this.#list(']') }
      default:
        this.#refuse()
    }
  }

  #call(name: string): Expression {
    const known = functions.find((one) => one === name)
    // `in (…)` and a name before a parenthesis are something else.
    if (known === undefined) this.#refuse()
    this.#expect('(')
    return { kind: 'call', name: known, given: this.#list(')') }
  }
}

/** A group is no place to assign to. */
function grouped(of: Expression): Expression {
  return { kind: 'choice', test: { kind: 'number', value: 1 }, met: of, otherwise: of }
}

/** Reads a program. Throws Unreadable. */
export function readAwk(program: string): readonly Rule[] {
  return new AwkParser(program).rules()
}
