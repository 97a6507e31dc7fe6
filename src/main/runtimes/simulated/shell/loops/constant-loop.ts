import { isBuiltin } from '../../process/command-names.ts'
import { isHarmless } from './harmless-word.ts'
import { incrementsOf } from './loop-variables.ts'
import { liveVariables } from './live-variables.ts'
import type { ProgramEffect } from '../../programs/program.ts'
import { programNamed } from '../../process/programs.ts'
import type { AndOrList, CommandList, Dialect, LoopCommand, Redirection } from '../syntax/syntax.ts'
import { staticText } from '../syntax/syntax.ts'
import { commandsOf, loneSimple, wordsOf } from '../syntax/syntax-walk.ts'
import { Unreadable } from '../unreadable.ts'

/** An endless loop with identical rounds. */
export interface ConstantLoop {
  /** The ms of each item of the body. */
  readonly durations: readonly number[]
  /** What each round adds to a variable. Undefined: what it prints can be computed only by running every round. */
  readonly increments: ReadonlyMap<string, number> | undefined
}

/**
 * Endless loops with identical rounds, such as `while true; do echo …; sleep 5; done`. They need no timer: the position
 * in the loop, and what it printed, is computed when a signal arrives or someone looks. Variables that are only printed
 * may change in them, if their values after many rounds can be computed.
 */
export function constantLoops(
  list: CommandList,
  dialect: Dialect,
  functions: ReadonlySet<string>,
): ReadonlyMap<LoopCommand, ConstantLoop> {
  const live = liveVariables(list, dialect, functions)
  const scope = { functions, isDead: (name: string) => live !== 'all' && !live.has(name) }
  const found = new Map<LoopCommand, ConstantLoop>()
  for (const command of commandsOf(list)) {
    if (command.kind !== 'loop' || !isEndless(command, scope)) continue
    const durations = command.body.map((item) => itemMs(item, scope))
    if (durations.every((ms) => ms !== undefined))
      found.set(command, { durations, increments: incrementsOf(command.body) })
  }
  return found
}

interface LoopScope {
  readonly functions: ReadonlySet<string>
  readonly isDead: (variable: string) => boolean
}

function isEndless(loop: LoopCommand, scope: LoopScope): boolean {
  const command = loneSimple(loop.condition)
  const name = command?.words[0] === undefined ? undefined : staticText(command.words[0])
  if (command === undefined || name === undefined || command.redirections !== undefined)
    return false
  if (command.assignments.length > 0 || scope.functions.has(name)) return false
  return loop.isUntil ? name === 'false' : name === 'true' || name === ':'
}

/** The duration of an item that always takes the same time and always succeeds. */
function itemMs(item: AndOrList, scope: LoopScope): number | undefined {
  const command = loneSimple([item])
  const isPlain = command?.assignments.every(
    ({ name, items }) => items === undefined && scope.isDead(name),
  )
  if (command === undefined || isPlain !== true) return undefined
  if (command.redirections?.every(leadsToStream) === false) return undefined
  const [first, ...words] = command.words
  if (first === undefined) return wordsOf(command).every(isHarmless) ? 0 : undefined
  const name = staticText(first)
  if (name === undefined || isBuiltin(name) || scope.functions.has(name)) return undefined
  const program = programNamed(name)
  if (program?.onlyPrints === true) return wordsOf(command).every(isHarmless) ? 0 : undefined
  const operands = words.map(staticText).filter((operand) => operand !== undefined)
  if (program === undefined || operands.length < words.length) return undefined
  return alwaysMs(() =>
    program.run(operands, { now: 0, environment: () => undefined, files: undefined }),
  )
}

/** Whether the output changes no file. */
function leadsToStream({ descriptor, kind, target }: Redirection): boolean {
  if (descriptor === 0 || kind === 'read' || kind === 'text') return false
  const text = staticText(target)
  return text !== undefined && (kind === 'duplicate' || /^\/dev\/(null|stdout|stderr)$/.test(text))
}

function alwaysMs(run: () => ProgramEffect): number | undefined {
  try {
    const effect = run()
    if (effect.kind === 'sleeps') return Number.isFinite(effect.ms) ? effect.ms : undefined
    return effect.kind === 'ends' && effect.status === 0 ? 0 : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/**
 * The position of a constant loop after so many ms: the running item, and how long it still runs. At the end of one
 * item the next has begun.
 */
export function positionInRound(
  durations: readonly number[],
  elapsedMs: number,
): { readonly index: number; readonly remainingMs: number } {
  const roundMs = durations.reduce((sum, ms) => sum + ms, 0)
  let remainingMs = roundMs > 0 ? elapsedMs % roundMs : 0
  for (const [index, ms] of durations.entries()) {
    if (remainingMs < ms) return { index, remainingMs: ms - remainingMs }
    remainingMs -= ms
  }
  return { index: durations.length - 1, remainingMs: 0 }
}
