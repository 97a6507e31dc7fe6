import { isVariableName } from './syntax/syntax.ts'
import type { Signal } from '../process/signals.ts'
import { signalNamed } from '../process/signals.ts'
import { known, Unreadable } from './unreadable.ts'

/** The operand of `exit` and `return` as a status; undefined when there is none. */
export function statusOperand(operands: readonly string[]): number | undefined {
  const [operand] = operands
  if (operand === undefined) return undefined
  if (operands.length > 1) throw new Unreadable('exit with more than one operand')
  const text = known(operand, 'exit')
  if (/^\d{1,9}$/.test(text)) return Number(text) & 255
  if (/^\s*[-+]?\d/.test(text)) throw new Unreadable(`exit ${text}: shells differ`)
  // "Illegal number", "numeric argument required": 2 in all of them.
  return 2
}

export function levelsOperand(operands: readonly string[]): number {
  const [operand = '1'] = operands
  if (!/^[1-9]\d{0,3}$/.test(operand)) throw new Unreadable(`break ${operand}`)
  return Number(operand)
}

/** The operands of `trap`: an undefined action resets the signals, an empty one ignores them. */
export interface TrapRequest {
  readonly action: string | undefined
  readonly signals: readonly Signal[]
  readonly isForExit: boolean
  /** Whether a condition is unknown: `trap` sets the others and returns 1. */
  readonly hasUnknown: boolean
}

export function trapOperands(given: readonly string[]): TrapRequest {
  const operands = given[0] === '--' ? given.slice(1) : given
  const [first, ...rest] = operands.map((operand) => known(operand, 'trap'))
  if (first === undefined) return trapRequest(undefined, [])
  if (/^-./.test(first) || (/^\d+$/.test(first) && rest.length > 0)) {
    throw new Unreadable(`trap ${first}`)
  }
  if (rest.length === 0) return trapRequest(undefined, [first])
  return trapRequest(first === '-' ? undefined : first, rest)
}

function trapRequest(action: string | undefined, conditions: readonly string[]): TrapRequest {
  const signals: Signal[] = []
  let isForExit = false
  let hasUnknown = false
  for (const condition of conditions) {
    const signal = signalNamed(condition)
    if (/^(EXIT|0)$/i.test(condition)) isForExit = true
    else if (/^(SIG)?(ERR|DEBUG|RETURN|CHLD|CLD|\d+)$/i.test(condition) && signal === undefined) {
      throw new Unreadable(`trap … ${condition}`)
    } else if (signal === undefined) hasUnknown = true
    else signals.push(signal)
  }
  return { action, signals, isForExit, hasUnknown }
}

/** The operands of `set`: options by name, positions after `--`. */
export interface SetRequest {
  readonly options: readonly {
    readonly name: 'errexit' | 'nounset' | 'pipefail'
    readonly isOn: boolean
  }[]
  readonly positions: readonly string[] | undefined
}

/** Options without an effect here. */
const optionsWithoutEffect = new Set(['xtrace', 'verbose'])
const optionLetters: Readonly<Record<string, string>> = {
  e: 'errexit',
  u: 'nounset',
  x: 'xtrace',
  v: 'verbose',
}

export function setOperands(operands: readonly string[]): SetRequest {
  const options: { name: 'errexit' | 'nounset' | 'pipefail'; isOn: boolean }[] = []
  const rest = [...operands]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { options, positions: rest }
    if (!/^[-+]\w+$/.test(word)) throw new Unreadable(`set ${word}`)
    for (const letter of word.slice(1)) {
      const name = letter === 'o' ? rest.shift() : optionLetters[letter]
      if (name === 'errexit' || name === 'nounset' || name === 'pipefail')
        options.push({ name, isOn: word.startsWith('-') })
      else if (name === undefined || !optionsWithoutEffect.has(name)) {
        throw new Unreadable(`set ${word}`)
      }
    }
  }
  return { options, positions: undefined }
}

/** Process ids; job numbers such as `%1` are not read. */
function pidOperand(operand: string, use: string): number {
  if (!/^\d{1,9}$/.test(known(operand, use))) throw new Unreadable(`${use} ${operand}`)
  return Number(operand)
}

export function waitOperands(operands: readonly string[]): readonly number[] {
  return operands.map((operand) => pidOperand(operand, 'wait'))
}

/** Refused, because a background child of a script ignores INT and QUIT only a moment after its start. */
const sendableSignals: readonly (Signal | undefined)[] = ['HUP', 'KILL', 'USR1', 'USR2', 'TERM']

/** The operands of `kill`; signal 0 only checks whether the process exists. */
export function killOperands(operands: readonly string[]): {
  readonly signal: Signal | 0
  readonly pids: readonly number[]
} {
  const [first = '', ...rest] = operands
  const named = first === '-s' || first === '-n'
  const name = named ? (rest.shift() ?? '') : /^-\w/.test(first) ? first.slice(1) : undefined
  const pids = name === undefined ? operands : rest
  if (pids.length === 0) throw new Unreadable('kill without a process')
  const signal = name === '0' ? 0 : signalNamed(name ?? 'TERM')
  if (signal === undefined || (signal !== 0 && !sendableSignals.includes(signal))) {
    throw new Unreadable(`kill ${first}`)
  }
  return { signal, pids: pids.map((pid) => positivePid(pidOperand(pid, 'kill'))) }
}

function positivePid(pid: number): number {
  if (pid === 0) throw new Unreadable('kill of the whole group')
  return pid
}

/** `export NAME` and `export NAME=value`. */
export function exportOperands(
  operands: readonly string[],
): readonly { readonly name: string; readonly value: string | undefined }[] {
  return operands.map((operand) => {
    const equals = operand.indexOf('=')
    const name = equals < 0 ? operand : operand.slice(0, equals)
    if (!isVariableName(name)) throw new Unreadable(`export ${operand}`)
    return { name, value: equals < 0 ? undefined : operand.slice(equals + 1) }
  })
}

/** The variables of `read`, and whether a backslash is a plain character. */
export function readOperands(operands: readonly string[]): {
  readonly names: readonly string[]
  readonly isRaw: boolean
} {
  const isRaw = operands[0] === '-r'
  const names = isRaw ? operands.slice(1) : operands
  const odd = names.find((name) => !isVariableName(name))
  if (odd !== undefined) throw new Unreadable(`read ${odd}`)
  return { names: names.length === 0 ? ['REPLY'] : names, isRaw }
}

export function shiftOperand(operands: readonly string[]): number {
  const [operand = '1'] = operands
  if (!/^\d{1,4}$/.test(operand)) throw new Unreadable(`shift ${operand}`)
  return Number(operand)
}
