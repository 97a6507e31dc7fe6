import { withFields } from '../../../../shared/json.ts'
import type { LinuxContainerUser } from '../../../kubelet/cri-types.ts'
import { evaluateArithmetic } from './arithmetic.ts'
import {
  exportOperands,
  killOperands,
  levelsOperand,
  readOperands,
  setOperands,
  shiftOperand,
  statusOperand,
  trapOperands,
  waitOperands,
} from './builtin-operands.ts'
import type { BuiltinName } from '../process/command-names.ts'
import { isBuiltin } from '../process/command-names.ts'
import type { ConstantLoop } from './loops/constant-loop.ts'
import { constantLoops } from './loops/constant-loop.ts'
import { parseScript } from './syntax/parser.ts'
import { shellMayLack } from '../process/image-programs.ts'
import { programNamed } from '../process/programs.ts'
import type { ProgramContext } from '../programs/program.ts'
import type { CommandList, Dialect, LoopCommand, SimpleCommand, Word } from './syntax/syntax.ts'
import { staticText } from './syntax/syntax.ts'
import { commandsOf, functionsOf, ownWords, partsOf } from './syntax/syntax-walk.ts'
import { Unreadable } from './unreadable.ts'

/** A script whose commands are all supported. */
export interface Script {
  readonly dialect: Dialect
  /** Where it runs; empty: any. */
  readonly image: string
  readonly list: CommandList
  readonly constantLoops: ReadonlyMap<LoopCommand, ConstantLoop>
  readonly environment: ReadonlyMap<string, string>
  /** All functions that it defines. */
  readonly functions: ReadonlySet<string>
  /** `$1`, `$2` … */
  readonly positions: readonly string[]
  /** Whose processes it starts; undefined: not known. */
  readonly user?: LinuxContainerUser | undefined
  /** How its process is shown; absent: not known. */
  readonly commandLine?: string
  /** A shell has variables of its own in the environment. */
  readonly isShell?: boolean
  /** A shell that reads its commands from its input. */
  readonly readsInput?: true
}

type ScriptContext = Pick<
  Script,
  'dialect' | 'image' | 'environment' | 'positions' | 'user' | 'isShell' | 'commandLine'
>

/**
 * Reads a script and checks every command in it: one unsupported command makes the whole script unreadable. Throws
 * Unreadable.
 */
export function readScript(text: string, context: ScriptContext): Script {
  return scriptOf(parseScript(text, context.dialect), context)
}

/** The script of one command without a shell. Throws Unreadable. */
export function scriptOf(list: CommandList, context: ScriptContext): Script {
  const functions = functionsOf(list)
  const { dialect, image } = context
  checkList(list, { dialect, image, functions })
  const constant = constantLoops(list, dialect, functions)
  return withFields(context, { list, constantLoops: constant, functions })
}

/** Reads and checks a part of a script, such as a trap's action; `functions` are those it may call besides its own. */
export function readList(text: string, scope: CheckScope): CommandList {
  const list = parseScript(text, scope.dialect)
  checkList(list, { ...scope, functions: new Set([...scope.functions, ...functionsOf(list)]) })
  return list
}

type CheckScope = Pick<Script, 'dialect' | 'image' | 'functions'>

function checkList(list: CommandList, scope: CheckScope): void {
  for (const command of commandsOf(list)) {
    for (const word of ownWords(command)) checkWord(word, scope)
    if (command.kind === 'simple') checkSimple(command, scope)
  }
}

function checkSimple(command: SimpleCommand, scope: CheckScope): void {
  const [first, ...rest] = command.words
  if (first === undefined) return
  const name = staticText(first)
  if (name === undefined) throw new Unreadable('a command whose name is not written out')
  if (name === '[[' && rest.some((word) => word.some(({ kind }) => kind === 'glob')))
    throw new Unreadable('[[ … ]] with a pattern')
  const isOfShell = scope.functions.has(name) || (isBuiltin(name) && name !== 'read')
  const hasArray = command.assignments.some(({ items }) => items !== undefined)
  if (hasArray || (isOfShell && command.assignments.length > 0)) {
    throw new Unreadable(`an assignment before ${name}`)
  }
  if (scope.functions.has(name)) return
  if (isBuiltin(name)) checkBuiltin(name, rest, scope)
  else if (!shellMayLack(scope.image, name)) checkProgram(name, rest)
}

function checkWord(word: Word, scope: CheckScope): void {
  for (const part of partsOf(word)) {
    if (part.kind === 'substitution') checkList(part.list, scope)
    if (part.kind === 'variable' && part.index !== undefined && scope.dialect !== 'bash')
      throw new Unreadable(`\${${part.name}[…]} is not read`)
    // Any number will do: only the syntax is checked.
    if (part.kind === 'arithmetic') evaluateArithmetic(sampleText(part.expression), () => '7919')
  }
}

function sampleText(expression: Word): string {
  return expression.map((part) => (part.kind === 'text' ? part.text : '7919')).join('')
}

const emptyContext: ProgramContext = { now: 0, environment: () => '', files: undefined }

/** Programs check their operands when they run, so a program with static operands is run once. */
function checkProgram(name: string, words: readonly Word[]): void {
  const program = programNamed(name)
  if (program === undefined) throw new Unreadable(`${name} is not a command that is read`)
  const operands = plainOperands(words)
  if (operands !== undefined) program.run(operands, emptyContext)
}

/** The operands if they contain no variables. */
function plainOperands(words: readonly Word[]): readonly string[] | undefined {
  const operands: string[] = []
  for (const word of words) {
    let text = ''
    for (const part of word) {
      if (part.kind !== 'text') return undefined
      text += part.text
    }
    operands.push(text)
  }
  return operands
}

function checkBuiltin(name: BuiltinName, words: readonly Word[], scope: CheckScope): void {
  const operands = plainOperands(words)
  if (operands === undefined) return
  switch (name) {
    case 'exit':
    case 'return':
      statusOperand(operands)
      return
    case 'break':
    case 'continue':
      levelsOperand(operands)
      return
    case 'exec':
      return checkExec(operands)
    case 'export':
      exportOperands(operands)
      return
    case 'kill':
      killOperands(operands)
      return
    case 'set':
      setOperands(operands)
      return
    case 'trap':
      readList(trapOperands(operands).action ?? '', scope)
      return
    case 'wait':
      waitOperands(operands)
      return
    case 'read':
      readOperands(operands)
      return
    case 'shift':
      shiftOperand(operands)
      return
    case 'local':
    case 'unset':
    case 'cd':
  }
}

function checkExec(operands: readonly string[]): void {
  const [name, ...rest] = operands
  const program = programNamed(name ?? 'true')
  if (program === undefined) throw new Unreadable(`exec ${name ?? ''}`)
  if (name !== undefined) program.run(rest, emptyContext)
}
