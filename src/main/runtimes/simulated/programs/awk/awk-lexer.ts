import { Unreadable } from '../../shell/unreadable.ts'

export interface Token {
  readonly kind: 'number' | 'string' | 'expression' | 'name' | 'function' | 'sign' | 'end'
  readonly text: string
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  '/': '/',
}

/** The text of a string, or of an assignment of the command line. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([^]?)/g, (whole, character: string) => {
    const plain = escapes[character]
    // Kept with its backslash, for a pattern.
    if (plain === undefined && /[0-7a-z]/i.test(character)) throw new Unreadable(`awk ${whole}`)
    return plain ?? whole
  })
}

const space = /(?:[ \t\r]|\\\n|#[^\n]*)+/y
const number = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y
const word = /[A-Za-z_]\w*/y
const text = /"((?:[^"\\\n]|\\[^])*)"/y
const pattern = /\/((?:[^/\\\n[]|\\[^]|\[\^?\]?(?:\[:[a-z]+:\]|[^\]\n])*\])+)\//y
const signs = /\*\*=|\*\*|\+\+|--|\|\||&&|[-+*/%^=!<>]=|>>|!~|[-+*/%^!<>=~?:,;(){}[\]$|\n]/y

/** Whether a `/` after this token divides. */
function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'sign') return /^(\)|\]|\$|\+\+|--)$/.test(token.text)
  return token.kind !== 'name' || !/^(in|print|printf|return)$/.test(token.text)
}

/** Throws Unreadable for what is no token. */
export function tokensOf(program: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const found = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at
    const match = expression.exec(program)
    if (match !== null) at += match[0].length
    return match
  }
  for (;;) {
    found(space)
    if (at >= program.length) return [...tokens, { kind: 'end', text: '' }]
    const digits = found(number)
    if (digits !== null) {
      // Octal and hexadecimal ones are read differently by different awks.
      if (/^0[\dxX]/.test(digits[0])) throw new Unreadable(`awk with the number ${digits[0]}`)
      tokens.push({ kind: 'number', text: digits[0] })
      continue
    }
    const name = found(word)
    if (name !== null) {
      tokens.push({ kind: program[at] === '(' ? 'function' : 'name', text: name[0] })
      continue
    }
    const string = found(text)
    if (string !== null) {
      tokens.push({ kind: 'string', text: unescaped(string[1] ?? '') })
      continue
    }
    const regular = endsOperand(tokens.at(-1)) ? null : found(pattern)
    if (regular !== null) {
      tokens.push({ kind: 'expression', text: (regular[1] ?? '').replaceAll('\\/', '/') })
      continue
    }
    const sign = found(signs)
    if (sign === null) throw new Unreadable(`awk ${program}`)
    tokens.push({ kind: 'sign', text: sign[0] })
  }
}
