import {
  exportOperands,
  killOperands,
  levelsOperand,
  setOperands,
  shiftOperand,
  statusOperand,
  trapOperands,
  waitOperands,
} from './builtin-operands.ts'
import type { BuiltinName } from '../process/command-names.ts'
import type { Flow, Running, ShellHost } from '../process/running.ts'
import { readList } from './script.ts'
import type { ShellState } from './shell-state.ts'
import { statusOf } from '../process/signals.ts'
import { Unreadable } from './unreadable.ts'

/** Runs a builtin; `exec` is missing because it runs a program, `cd` and `read` because they need files and input. */
export function* runBuiltin(
  name: Exclude<BuiltinName, 'exec' | 'cd' | 'read'>,
  operands: readonly string[],
  state: ShellState,
  host: ShellHost,
): Running<Flow> {
  switch (name) {
    case 'exit':
      state.status = statusOperand(operands) ?? state.statusBeforeTrap ?? state.status
      return { kind: 'exit' }
    case 'return':
      return returnFrom(operands, state)
    case 'break':
    case 'continue':
      state.status = 0
      // No effect outside a loop; too many levels mean all of them.
      return state.loopDepth === 0
        ? undefined
        : { kind: name, levels: Math.min(levelsOperand(operands), state.loopDepth) }
    case 'export':
      for (const { name: variable, value } of exportOperands(operands)) {
        if (value !== undefined) state.variables.set(variable, value)
        state.export(variable)
      }
      state.status = 0
      return undefined
    case 'kill':
      return sendSignal(operands, state, host)
    case 'set':
      return setOptions(operands, state)
    case 'trap':
      return setTrap(operands, state)
    case 'wait':
      return yield* waitForJobs(operands, state, host)
    case 'shift':
      return shift(shiftOperand(operands), state)
    case 'local':
      for (const variable of exportOperands(operands)) setLocal(variable, state)
      state.status = 0
      return undefined
    case 'unset':
      for (const operand of operands) state.unset(operand)
      state.status = 0
      return undefined
  }
}

function shift(count: number, state: ShellState): Flow {
  const isPossible = count <= state.positions.length
  // dash exits, and busybox and bash return 1.
  if (!isPossible && count > 1) throw new Unreadable('shift of more than there is')
  state.positions = isPossible ? state.positions.slice(count) : state.positions
  state.status = isPossible ? 0 : 1
  return undefined
}

function setLocal(
  { name, value }: { readonly name: string; readonly value: string | undefined },
  state: ShellState,
): void {
  const saved = state.locals.at(-1)
  if (saved === undefined) throw new Unreadable('local outside a function')
  if (!saved.has(name)) saved.set(name, state.variables.get(name))
  if (value !== undefined) state.variables.set(name, value)
}

function returnFrom(operands: readonly string[], state: ShellState): Flow {
  if (state.functionDepth === 0) throw new Unreadable('return outside a function: shells differ')
  state.status = statusOperand(operands) ?? state.statusBeforeTrap ?? state.status
  return { kind: 'return' }
}

function sendSignal(operands: readonly string[], state: ShellState, host: ShellHost): Flow {
  const { signal, pids } = killOperands(operands)
  const alive = pids.filter((pid) => host.isAlive(pid))
  state.status = alive.length === pids.length ? 0 : 1
  if (signal !== 0) for (const pid of alive) host.signal(pid, signal)
  return undefined
}

function setOptions(operands: readonly string[], state: ShellState): Flow {
  const { options, positions } = setOperands(operands)
  for (const { name, isOn } of options) {
    if (name === 'errexit') state.isErrexit = isOn
    else if (name === 'nounset') state.isNounset = isOn
    else state.isPipefail = isOn
  }
  if (positions !== undefined) state.positions = positions
  state.status = 0
  return undefined
}

function setTrap(operands: readonly string[], state: ShellState): Flow {
  const { action, signals, isForExit, hasUnknown } = trapOperands(operands)
  const list = action === undefined ? undefined : readList(action, state.script)
  // `trap " " TERM` handles the signal by doing nothing; only an empty text ignores it.
  const handler = list?.length === 0 && action !== '' ? doNothing : list
  if (isForExit) {
    state.exitTrap = action === '' ? undefined : handler
    if (state.exitTrap !== undefined) state.trappedBeforeExit ??= new Set(state.traps.keys())
  }
  for (const signal of signals) {
    if (handler === undefined) state.traps.delete(signal)
    else state.traps.set(signal, handler)
  }
  state.status = hasUnknown ? 1 : 0
  return undefined
}

const doNothing = [
  {
    first: {
      isNegated: false,
      command: {
        kind: 'simple',
        assignments: [],
        words: [[{ kind: 'text', text: ':', isQuoted: false }]],
      },
    },
    rest: [],
    isBackground: false,
  },
] as const

/** POSIX: a trapped signal ends the wait at once with a status over 128; then the trap runs. */
function* waitForJobs(
  operands: readonly string[],
  state: ShellState,
  host: ShellHost,
): Running<Flow> {
  const pids = operands.length === 0 ? [...state.children] : waitOperands(operands)
  const running = pids.filter((pid) => state.children.has(pid) && host.isAlive(pid))
  if (running.length > 0) {
    const jobs = running
    yield { until: Number.POSITIVE_INFINITY, jobs, isInterrupted: () => state.pending.length > 0 }
    const [signal] = state.pending
    if (signal !== undefined && jobs.some((pid) => host.isAlive(pid))) {
      state.status = statusOf(signal)
      return undefined
    }
  }
  const last = operands.length === 0 ? undefined : pids.at(-1)
  const isKnown = last !== undefined && state.children.has(last)
  state.status = last === undefined ? 0 : isKnown ? (host.statusOf(last) ?? 127) : 127
  if (operands.length === 0) forgetEnded(state, host)
  return undefined
}

/** Drops ended jobs but the last, so that an endless script does not collect them. */
function forgetEnded(state: ShellState, host: ShellHost): void {
  for (const pid of state.children) {
    if (pid !== state.lastJob && !host.isAlive(pid)) state.children.delete(pid)
  }
}
