import type { Token } from './lexer.ts'
import { tokenize } from './lexer.ts'
import type {
  AndOrList,
  Assignment,
  Command,
  CommandList,
  Dialect,
  Redirection,
  SimpleCommand,
  Step,
  Word,
} from './syntax.ts'
import { isVariableName, quotedWord, staticText } from './syntax.ts'
import { TokenStream } from './token-stream.ts'
import { Unreadable } from '../unreadable.ts'

/** Longer or deeper scripts are refused. */
const maxLength = 65_536
const maxDepth = 50

const reservedWords = new Set(
  'if then elif else fi while until for in do done case esac function select time { } !'.split(' '),
)

/** Parses a script of the supported syntax; its commands are not checked yet. Throws Unreadable. */
export function parseScript(text: string, dialect: Dialect): CommandList {
  return new Parser(text, dialect, 0).script()
}

class Parser {
  readonly #tokens: TokenStream
  readonly #dialect: Dialect
  #depth: number

  constructor(text: string, dialect: Dialect, depth: number) {
    if (text.length > maxLength) throw new Unreadable('the script is too long')
    if (depth > maxDepth) throw new Unreadable('the script is too deeply nested')
    this.#dialect = dialect
    this.#depth = depth
    this.#tokens = new TokenStream(
      tokenize(text, dialect, (source) => new Parser(source, dialect, depth + 1).script()),
    )
  }

  script(): CommandList {
    const list = this.#list()
    this.#expectEnd()
    return list
  }

  #expectEnd(): void {
    if (this.#tokens.next.kind !== 'end') {
      throw new Unreadable(`a command expected, ${this.#tokens.found}`)
    }
  }

  /** Commands up to a closing word, a closing parenthesis or the end. */
  #list(): CommandList {
    const items: AndOrList[] = []
    for (;;) {
      this.#tokens.skipNewlines()
      if (this.#isAtListEnd()) return items
      items.push(this.#andOr())
    }
  }

  /** A list that must not be empty, as between reserved words. */
  #body(): CommandList {
    const list = this.#list()
    if (list.length === 0) throw new Unreadable(`a command expected, ${this.#tokens.found}`)
    return list
  }

  #isAtListEnd(): boolean {
    const { next, bareWord } = this.#tokens
    if (next.kind === 'end' || this.#tokens.isOperator(')') || this.#tokens.isOperator(';;'))
      return true
    return bareWord !== undefined && /^(then|elif|else|fi|do|done|esac|\})$/.test(bareWord)
  }

  #andOr(): AndOrList {
    const first = this.#step()
    const rest: { operator: '&&' | '||'; step: Step }[] = []
    for (;;) {
      const operator = this.#tokens.takeOperator('&&')
        ? '&&'
        : this.#tokens.takeOperator('||')
          ? '||'
          : undefined
      if (operator === undefined) break
      this.#tokens.skipNewlines()
      rest.push({ operator, step: this.#step() })
    }
    const isBackground = this.#tokens.takeOperator('&')
    if (!isBackground && !this.#tokens.takeOperator(';')) this.#expectSeparator()
    return { first, rest, isBackground }
  }

  #expectSeparator(): void {
    if (this.#tokens.next.kind === 'newline' || this.#isAtListEnd()) return
    throw new Unreadable(`; expected, ${this.#tokens.found}`)
  }

  #step(): Step {
    const isNegated = this.#tokens.takeReserved('!')
    const first = this.#command()
    const commands = [first]
    while (this.#tokens.takeOperator('|')) {
      this.#tokens.skipNewlines()
      commands.push(this.#command())
    }
    return { isNegated, command: commands.length === 1 ? first : { kind: 'pipeline', commands } }
  }

  #command(): Command {
    if (++this.#depth > maxDepth) throw new Unreadable('the script is too deeply nested')
    const command = this.#compound() ?? this.#simple()
    const redirections = command.kind === 'simple' ? [] : this.#redirections()
    this.#depth--
    return redirections.length === 0 ? command : { ...command, redirections }
  }

  #compound(): Command | undefined {
    const tokens = this.#tokens
    if (tokens.takeOperator('(')) return this.#subshell()
    if (tokens.takeReserved('{')) return this.#group()
    if (tokens.takeReserved('if')) return this.#if()
    if (tokens.takeReserved('while')) return this.#loop(false)
    if (tokens.takeReserved('until')) return this.#loop(true)
    if (tokens.takeReserved('for')) return this.#for()
    if (tokens.takeReserved('case')) return this.#case()
    if (this.#dialect === 'bash' && tokens.takeReserved('function')) return this.#function()
    const isEmptyArray = this.#dialect === 'bash' && tokens.bareWord?.endsWith('=') === true
    return tokens.isBeforeParentheses && !isEmptyArray ? this.#function() : undefined
  }

  #subshell(): Command {
    // `((…))` is bash's arithmetic; nested subshells are written with a blank.
    if (this.#tokens.isOperator('(')) throw new Unreadable('((…)) is not read')
    const body = this.#body()
    this.#tokens.expectOperator(')')
    return { kind: 'subshell', body }
  }

  #group(): Command {
    const body = this.#body()
    this.#tokens.expectReserved('}')
    return { kind: 'group', body }
  }

  #if(): Command {
    const branches: { condition: CommandList; body: CommandList }[] = []
    do {
      const condition = this.#body()
      this.#tokens.expectReserved('then')
      branches.push({ condition, body: this.#body() })
    } while (this.#tokens.takeReserved('elif'))
    const otherwise = this.#tokens.takeReserved('else') ? this.#body() : []
    this.#tokens.expectReserved('fi')
    return { kind: 'if', branches, otherwise }
  }

  #loop(isUntil: boolean): Command {
    const condition = this.#body()
    return { kind: 'loop', isUntil, condition, body: this.#doBody() }
  }

  #for(): Command {
    const name = staticText(this.#tokens.takeWord())
    if (name === undefined || !isVariableName(name)) throw new Unreadable('for needs a name')
    this.#tokens.skipNewlines()
    this.#tokens.expectReserved('in')
    const words: Word[] = []
    while (this.#tokens.next.kind === 'word') words.push(this.#tokens.takeWord())
    if (!this.#tokens.takeOperator(';')) this.#expectSeparator()
    this.#tokens.skipNewlines()
    return { kind: 'for', name, words, body: this.#doBody() }
  }

  #case(): Command {
    const tokens = this.#tokens
    const word = tokens.takeWord()
    tokens.skipNewlines()
    tokens.expectReserved('in')
    const branches: { patterns: Word[]; body: CommandList }[] = []
    for (;;) {
      tokens.skipNewlines()
      if (tokens.takeReserved('esac')) return { kind: 'case', word, branches }
      tokens.takeOperator('(')
      const patterns = [tokens.takeWord()]
      while (tokens.takeOperator('|')) patterns.push(tokens.takeWord())
      tokens.expectOperator(')')
      branches.push({ patterns, body: this.#list() })
      if (tokens.takeOperator(';;')) continue
      tokens.skipNewlines()
      tokens.expectReserved('esac')
      return { kind: 'case', word, branches }
    }
  }

  #doBody(): CommandList {
    this.#tokens.expectReserved('do')
    const body = this.#body()
    this.#tokens.expectReserved('done')
    return body
  }

  #function(): Command {
    const name = staticText(this.#tokens.takeWord())
    if (name === undefined || !isVariableName(name)) {
      throw new Unreadable('a function needs a name')
    }
    if (this.#tokens.takeOperator('(')) this.#tokens.expectOperator(')')
    this.#tokens.skipNewlines()
    const body = this.#command()
    if (body.kind === 'simple') throw new Unreadable('a function needs a body in braces')
    return { kind: 'function', name, body }
  }

  #simple(): SimpleCommand {
    const assignments: Assignment[] = []
    const words: Word[] = []
    const redirections: Redirection[] = []
    const reserved = this.#tokens.bareWord
    if (reserved !== undefined && reservedWords.has(reserved)) {
      throw new Unreadable(`a command expected, found ${reserved}`)
    }
    for (;;) {
      this.#refuseComparison(words)
      redirections.push(...this.#redirections())
      if (this.#tokens.next.kind !== 'word') break
      const word = this.#tokens.takeWord()
      const assignment = words.length === 0 ? assignmentOf(word) : undefined
      if (assignment === undefined) words.push(word)
      else assignments.push(this.#withItems(assignment))
    }
    if (assignments.length + words.length + redirections.length === 0) {
      throw new Unreadable(`a command expected, ${this.#tokens.found}`)
    }
    const simple = { kind: 'simple', assignments, words } as const
    return redirections.length === 0 ? simple : { ...simple, redirections }
  }

  /** bash's `name=(a b)`. */
  #withItems(assignment: Assignment): Assignment {
    const isArray = this.#dialect === 'bash' && staticText(assignment.value) === ''
    if (!isArray || !this.#tokens.takeOperator('(')) return assignment
    const items: Word[] = []
    for (;;) {
      this.#tokens.skipNewlines()
      if (this.#tokens.takeOperator(')')) return { ...assignment, items }
      items.push(this.#tokens.takeWord())
    }
  }

  /** Inside bash's `[[ … ]]` the signs < and > compare. */
  #refuseComparison(words: readonly Word[]): void {
    const isInside = words[0] !== undefined && staticText(words[0]) === '[['
    if (isInside && this.#tokens.next.kind === 'redirection') {
      throw new Unreadable('a comparison by < or >')
    }
  }

  #redirections(): readonly Redirection[] {
    const redirections: Redirection[] = []
    for (;;) {
      const token = this.#tokens.next
      if (token.kind !== 'redirection') return redirections
      this.#tokens.take()
      redirections.push(...redirectionsOf(token, this.#tokens.takeWord()))
    }
  }
}

function redirectionsOf(
  { operator, descriptor }: Token & { readonly kind: 'redirection' },
  target: Word,
): readonly Redirection[] {
  if (operator.startsWith('&')) {
    // bash's `&>`: both streams.
    const kind = operator === '&>>' ? 'append' : 'write'
    return [
      { descriptor: 1, kind, target },
      { descriptor: 2, kind: 'duplicate', target: quotedWord('1') },
    ]
  }
  const stream = descriptor === '' ? (operator.startsWith('<') ? 0 : 1) : Number(descriptor)
  if (stream !== 0 && stream !== 1 && stream !== 2)
    throw new Unreadable(`a redirection of ${descriptor}`)
  const kind = redirectionKinds[operator]
  if (kind === undefined) throw new Unreadable(`${operator} is not read`)
  if (kind === 'duplicate' && !/^[012-]$/.test(staticText(target) ?? ''))
    throw new Unreadable(`a redirection ${operator}`)
  const text = operator === '<<<' ? [...target, ...quotedWord('\n')] : target
  return [{ descriptor: stream, kind, target: text }]
}

const redirectionKinds: Readonly<Partial<Record<string, Redirection['kind']>>> = {
  '<': 'read',
  '>': 'write',
  '>|': 'write',
  '>>': 'append',
  '>&': 'duplicate',
  '<&': 'duplicate',
  '<<': 'text',
  '<<-': 'text',
  '<<<': 'text',
}

function assignmentOf(word: Word): Assignment | undefined {
  const [first, ...rest] = word
  const isPlain = first?.kind === 'glob' || (first?.kind === 'text' && !first.isQuoted)
  if (first === undefined || !isPlain) return undefined
  const match = /^([A-Za-z_]\w*)=([^]*)$/.exec(first.text)
  const name = match?.[1]
  if (name === undefined) return undefined
  return { name, value: [{ ...first, text: match?.[2] ?? '' }, ...rest] }
}
