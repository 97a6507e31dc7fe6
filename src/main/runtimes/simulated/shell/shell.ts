import { runBuiltin } from './builtins.ts'
import { BusyLoopThrottle } from '../process/busy-loop-throttle.ts'
import { isBuiltin } from '../process/command-names.ts'
import type { ConstantLoop } from './constant-loop.ts'
import { positionInRound } from './constant-loop.ts'
import type { ExpansionScope } from './expansion.ts'
import { expandFields, expandText } from './expansion.ts'
import { LoopReplay } from './loop-replay.ts'
import type { ProgramEffect } from '../process/programs.ts'
import { programNamed } from '../process/programs.ts'
import type {
  Disposition,
  Flow,
  OutputStreams,
  ProcessBody,
  Running,
  ShellHost,
} from '../process/running.ts'
import type { Script } from './script.ts'
import { ShellState } from './shell-state.ts'
import type { Signal } from '../process/signals.ts'
import { statusOf } from '../process/signals.ts'
import type {
  AndOrList,
  Command,
  CommandList,
  LoopCommand,
  Redirection,
  SimpleCommand,
  Step,
  Word,
} from './syntax.ts'
import { staticText } from './syntax.ts'
import { known, shownText, Unreadable } from './unreadable.ts'

/** Deeper recursion of functions and traps ends a real shell too. */
const maxDepth = 100

/** How many background children are kept for `wait`; more than can be alive. */
const maxChildren = 4000

interface ShellDeps {
  readonly host: ShellHost
  readonly state: ShellState
  readonly list: CommandList
  /** For a subshell: whether its failure is tested. */
  readonly isTested: boolean
  readonly streams: OutputStreams
}

/**
 * Runs a script in virtual time, as far as dash, busybox and bash agree. A trap runs after the foreground command or
 * the `wait` that it interrupts. A subshell's changes stay in the subshell. `isTested` is true where a failure is
 * tested, so that `set -e` does not end the shell.
 */
export class Shell implements ProcessBody {
  readonly #deps: ShellDeps
  readonly #throttle: BusyLoopThrottle
  #substitutionStatus = 0
  #streams: OutputStreams
  /** The time at which an item of a constant loop runs, while its output is produced. */
  #replayedAt: number | undefined
  /** `exec > file`: the redirection of the command stays. */
  #keepsStreams = false

  constructor(deps: ShellDeps) {
    this.#deps = deps
    this.#streams = deps.streams
    this.#throttle = new BusyLoopThrottle(() => deps.host.now())
  }

  static ofScript(script: Script, host: ShellHost, streams: OutputStreams): Shell {
    return new Shell({
      host,
      state: ShellState.ofScript(script),
      list: script.list,
      isTested: false,
      streams,
    })
  }

  *run(): Running<number> {
    yield* this.#runList(this.#deps.list, this.#deps.isTested)
    yield* this.#runExitTrap()
    return this.#deps.state.status
  }

  dispositionOf(signal: Signal): Disposition {
    const trap = this.#deps.state.traps.get(signal)
    if (trap !== undefined) return trap.length === 0 ? 'ignored' : 'handled'
    // With an EXIT trap bash catches fatal signals, also as PID 1 (bash trap.c, sig.c).
    const isBash = this.#deps.state.script.dialect === 'bash'
    const { exitTrap, isLeaving, trappedBeforeExit } = this.#deps.state
    const hasExitTrap = exitTrap !== undefined || isLeaving
    return isBash && hasExitTrap && trappedBeforeExit?.has(signal) !== true ? 'exits' : 'default'
  }

  deliver(signal: Signal): void {
    if (!this.#deps.state.pending.includes(signal)) this.#deps.state.pending.push(signal)
  }

  *leaveBy(signal: Signal): Running<number> {
    yield* this.#runExitTrap()
    return statusOf(signal)
  }

  *#runExitTrap(): Running<void> {
    const state = this.#deps.state
    const { exitTrap, status } = state
    if (exitTrap === undefined) return
    state.exitTrap = undefined
    state.isLeaving = true
    state.statusBeforeTrap = status
    const flow = yield* this.#runList(exitTrap, false)
    if (flow?.kind !== 'exit') state.status = status
  }

  *#runList(list: CommandList, isTested: boolean): Running<Flow> {
    for (const item of list) {
      const flow = item.isBackground
        ? yield* this.#startJob(item)
        : yield* this.#runAndOr(item, isTested)
      if (flow !== undefined) return flow
    }
    return undefined
  }

  *#startJob(item: AndOrList): Running<Flow> {
    const state = this.#deps.state
    const pid = this.#deps.host.start(this.#subshell(listOfJob(item), false))
    state.lastJob = pid
    state.children.add(pid)
    const [oldest] = state.children
    if (state.children.size > maxChildren && oldest !== undefined) state.children.delete(oldest)
    state.status = 0
    // The child runs as far as it can, as it does while a real shell starts its next program.
    yield { until: this.#deps.host.now() }
    return yield* this.#boundary(true)
  }

  #subshell(list: CommandList, isTested: boolean): Shell {
    const { host, state } = this.#deps
    return new Shell({ host, state: state.fork(), list, isTested, streams: this.#streams })
  }

  *#runAndOr(item: AndOrList, isTested: boolean): Running<Flow> {
    const steps = [{ operator: undefined, step: item.first }, ...item.rest]
    for (const [index, { operator, step }] of steps.entries()) {
      const hasFailed = this.#deps.state.status !== 0
      if (operator !== undefined && (operator === '&&') === hasFailed) continue
      const flow = yield* this.#runStep(step, isTested || index < steps.length - 1)
      if (flow !== undefined) return flow
    }
    return undefined
  }

  *#runStep(step: Step, isTested: boolean): Running<Flow> {
    const flow = yield* this.#runCommand(step.command, isTested || step.isNegated)
    if (flow === undefined && step.isNegated)
      this.#deps.state.status = this.#deps.state.status === 0 ? 1 : 0
    return flow
  }

  *#runCommand(command: Command, isTested: boolean): Running<Flow> {
    const { redirections } = command
    if (redirections === undefined) return yield* this.#runRedirected(command, isTested)
    const before = this.#streams
    this.#streams = redirected(before, redirections)
    const flow = yield* this.#runRedirected(command, isTested)
    if (!this.#keepsStreams) this.#streams = before
    this.#keepsStreams = false
    return flow
  }

  *#runRedirected(command: Command, isTested: boolean): Running<Flow> {
    switch (command.kind) {
      case 'simple': {
        const flow = yield* this.#runSimple(command, isTested)
        return flow ?? (yield* this.#boundary(isTested))
      }
      case 'group':
        return yield* this.#runList(command.body, isTested)
      case 'subshell':
        this.#deps.state.status = yield* this.#subshell(command.body, isTested).run()
        return yield* this.#boundary(isTested)
      case 'if':
        return yield* this.#runIf(command, isTested)
      case 'loop':
        return yield* this.#rounds(this.#roundsOfLoop(command, isTested))
      case 'for':
        return yield* this.#rounds(this.#roundsOfFor(command, isTested))
      case 'function':
        this.#deps.state.functions.set(command.name, command.body)
        this.#deps.state.status = 0
        return undefined
    }
  }

  /** Between two commands: handles pending signals, then exits if `set -e` requires it. */
  *#boundary(isTested: boolean): Running<Flow> {
    const state = this.#deps.state
    for (let signal = state.pending.shift(); signal !== undefined; signal = state.pending.shift()) {
      const flow = yield* this.#handle(state.traps.get(signal) ?? [])
      if (flow !== undefined) return flow
    }
    return state.isErrexit && !isTested && state.status !== 0 ? { kind: 'exit' } : undefined
  }

  *#handle(action: CommandList): Running<Flow> {
    const state = this.#deps.state
    const { status, statusBeforeTrap } = state
    if (state.trapDepth >= maxDepth) throw new Unreadable('a trap that sends itself its signal')
    state.trapDepth++
    state.statusBeforeTrap = status
    const flow = yield* this.#runList(action, false)
    state.trapDepth--
    state.statusBeforeTrap = statusBeforeTrap
    if (flow === undefined) state.status = status
    return flow
  }

  *#runIf(command: Command & { readonly kind: 'if' }, isTested: boolean): Running<Flow> {
    for (const { condition, body } of command.branches) {
      const flow = yield* this.#runList(condition, true)
      if (flow !== undefined) return flow
      if (this.#deps.state.status === 0) return yield* this.#runList(body, isTested)
    }
    this.#deps.state.status = 0
    return yield* this.#runList(command.otherwise, isTested)
  }

  /** Runs the rounds of a loop and consumes its `break` and `continue`. */
  *#rounds(rounds: Running<Flow>): Running<Flow> {
    this.#deps.state.loopDepth++
    const flow = yield* rounds
    this.#deps.state.loopDepth--
    if (flow?.kind !== 'break' && flow?.kind !== 'continue') return flow
    return flow.levels > 1 ? { ...flow, levels: flow.levels - 1 } : undefined
  }

  *#roundsOfLoop(loop: LoopCommand, isTested: boolean): Running<Flow> {
    const constant = this.#deps.state.script.constantLoops.get(loop)
    let status = 0
    for (;;) {
      if (constant !== undefined && !this.#needsRounds(constant)) {
        const flow = yield* this.#constantRounds(loop.body, constant)
        if (!isNextRound(flow)) return flow
        continue
      }
      const tested = yield* this.#runList(loop.condition, true)
      if (!isNextRound(tested)) return tested
      if (tested === undefined) {
        if ((this.#deps.state.status === 0) === loop.isUntil) break
        const flow = yield* this.#runList(loop.body, isTested)
        if (!isNextRound(flow)) return flow
        status = this.#deps.state.status
      }
      const left = yield* this.#pauseIfBusy()
      if (!isNextRound(left)) return left
    }
    this.#deps.state.status = status
    return undefined
  }

  get #isWatched(): boolean {
    const { stdout, stderr, isWatched } = this.#streams
    return (stdout !== undefined || stderr !== undefined) && isWatched?.() !== false
  }

  #needsRounds({ increments }: ConstantLoop): boolean {
    const { stdout, stderr } = this.#streams
    const isSilent = stdout === undefined && stderr === undefined
    return this.#isWatched || this.#deps.state.isNounset || (!isSilent && increments === undefined)
  }

  /** Waits for a signal or someone who looks without a timer, then continues at its current position in its round. */
  *#constantRounds(body: CommandList, loop: ConstantLoop): Running<Flow> {
    const { host, state } = this.#deps
    const startedAt = host.now()
    const replay = new LoopReplay({
      loop,
      startedAt,
      runItem: (index, at) => {
        this.#replayItem(body[index], at)
      },
      skipRounds: (count) => {
        for (const [name, step] of loop.increments ?? [])
          state.variables.set(name, String(Number(state.lookup(name) ?? 0) + count * step))
      },
    })
    const catchUp = (): void => {
      replay.catchUp(host.now())
    }
    const isInterrupted = (): boolean => state.pending.length > 0 || this.#isWatched
    yield { until: Number.POSITIVE_INFINITY, isInterrupted, catchUp }
    catchUp()
    const position = positionInRound(loop.durations, host.now() - startedAt)
    state.status = 0
    if (position.remainingMs > 0) yield { until: host.now() + position.remainingMs }
    const flow = yield* this.#boundary(true)
    return flow ?? (yield* this.#runList(body.slice(position.index + 1), false))
  }

  /** An item of a constant loop prints or assigns as at that time; those that sleep do neither. */
  #replayItem(item: AndOrList | undefined, at: number): void {
    const command = item?.first.command
    if (command?.kind !== 'simple') return
    const { stdout, stderr } = this.#streams
    if (command.words.length > 0 && stdout === undefined && stderr === undefined) return
    const before = this.#streams
    this.#streams = redirected(before, command.redirections ?? [])
    this.#replayedAt = at
    // It does not wait: items that sleep are cut off.
    this.#runSimple(command, true).next()
    this.#replayedAt = undefined
    this.#streams = before
  }

  *#roundsOfFor(command: Command & { readonly kind: 'for' }, isTested: boolean): Running<Flow> {
    const fields = command.words.flatMap((word) => expandFields(word, this.#scope))
    this.#deps.state.status = 0
    for (const field of fields) {
      this.#deps.state.variables.set(command.name, known(field, 'for'))
      const flow = yield* this.#runList(command.body, isTested)
      if (!isNextRound(flow)) return flow
      const left = yield* this.#pauseIfBusy()
      if (!isNextRound(left)) return left
    }
    return undefined
  }

  *#pauseIfBusy(): Running<Flow> {
    const pauseMs = this.#throttle.pauseMs()
    if (pauseMs === 0) return undefined
    const state = this.#deps.state
    yield { until: this.#deps.host.now() + pauseMs, isInterrupted: () => state.pending.length > 0 }
    return yield* this.#boundary(true)
  }

  *#runSimple(command: SimpleCommand, isTested: boolean): Running<Flow> {
    this.#substitutionStatus = 0
    const [name, ...operands] = this.#fieldsOf(command)
    if (name === undefined) {
      for (const { name: variable, value } of command.assignments) {
        this.#deps.state.variables.set(variable, expandText(value, this.#scope))
      }
      this.#deps.state.status = this.#substitutionStatus
      return undefined
    }
    const body = this.#deps.state.functions.get(name)
    if (body !== undefined) return yield* this.#call(body, operands, isTested)
    if (!isBuiltin(name)) return yield* this.#runProgram(name, operands)
    if (name === 'exec') return yield* this.#exec(operands)
    return yield* runBuiltin(name, operands, this.#deps.state, this.#deps.host)
  }

  /** Words inside `[[ … ]]` are not split. */
  #fieldsOf(command: SimpleCommand): readonly string[] {
    const [first] = command.words
    const isUnsplit = first !== undefined && staticText(first) === '[['
    return isUnsplit
      ? command.words.map((word) => expandText(word, this.#scope))
      : command.words.flatMap((word) => expandFields(word, this.#scope))
  }

  *#call(body: Command, operands: readonly string[], isTested: boolean): Running<Flow> {
    const state = this.#deps.state
    if (state.functionDepth >= maxDepth) throw new Unreadable('a function without end')
    const { positions, loopDepth } = state
    state.positions = operands
    // `break` cannot leave loops around the call (dash, bash; busybox can).
    state.loopDepth = 0
    state.functionDepth++
    const flow = yield* this.#runCommand(body, isTested)
    state.functionDepth--
    state.loopDepth = loopDepth
    state.positions = positions
    return flow?.kind === 'return' ? undefined : flow
  }

  *#runProgram(name: string, operands: readonly string[]): Running<undefined> {
    const effect = this.#effectOf(name, operands)
    if (effect.kind === 'sleeps' && effect.ms > 0)
      yield { until: this.#deps.host.now() + effect.ms }
    this.#deps.state.status = effect.kind === 'ends' ? effect.status : 0
    if (effect.kind === 'ends' && effect.output !== '')
      this.#streams.stdout?.(shownText(effect.output), this.#now)
    return undefined
  }

  #effectOf(name: string, operands: readonly string[]): ProgramEffect {
    const program = programNamed(name)
    if (program === undefined) throw new Unreadable(`${name} is not a command that is read`)
    return program.run(operands, {
      now: this.#now,
      environment: (variable) => this.#deps.state.lookup(variable),
    })
  }

  /** The program replaces the shell: handlers are reset, ignored signals stay ignored, the EXIT trap does not run. */
  *#exec(operands: readonly string[]): Running<Flow> {
    const state = this.#deps.state
    const [name, ...rest] = operands
    state.status = 0
    this.#keepsStreams = name === undefined
    if (name === undefined) return undefined
    state.exitTrap = undefined
    for (const [signal, action] of state.traps) if (action.length > 0) state.traps.delete(signal)
    yield* this.#runProgram(name, rest)
    return { kind: 'exit' }
  }

  get #now(): number {
    return this.#replayedAt ?? this.#deps.host.now()
  }

  get #scope(): ExpansionScope {
    return {
      lookup: (name) => this.#deps.state.lookup(name),
      positions: this.#deps.state.positions,
      isUnsetFatal: this.#deps.state.isNounset,
      substitute: (command) => this.#substitute(command),
    }
  }

  #substitute(command: SimpleCommand): string {
    const [name, ...operands] = command.words.flatMap((word: Word) =>
      expandFields(word, this.#scope),
    )
    const effect = this.#effectOf(name ?? '', operands)
    if (effect.kind === 'sleeps') throw new Unreadable(`$(${name ?? ''} …)`)
    this.#substitutionStatus = effect.status
    return effect.output
  }
}

/** The streams after the redirections, applied in order. */
function redirected(before: OutputStreams, redirections: readonly Redirection[]): OutputStreams {
  let streams = before
  for (const { streams: names, to } of redirections) {
    const target = to === 'file' ? undefined : streams[to]
    for (const name of names) streams = { ...streams, [name]: target }
  }
  return streams
}

/** Whether the loop continues, also after its own `continue`. */
function isNextRound(flow: Flow): boolean {
  return flow === undefined || (flow.kind === 'continue' && flow.levels === 1)
}

/** `( … ) &` is one process, not a subshell in a subshell. */
function listOfJob(item: AndOrList): CommandList {
  const { first, rest } = item
  const isSubshell = rest.length === 0 && !first.isNegated && first.command.kind === 'subshell'
  return isSubshell ? first.command.body : [{ ...item, isBackground: false }]
}
