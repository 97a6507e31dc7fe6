import { filesMatching } from '../files/glob.ts'
import { cleanPath, WorkingFolder } from '../files/working-folder.ts'
import { Capture, Pipe, textInput } from '../process/byte-streams.ts'
import { fileErrorText } from '../files/file-error.ts'
import { runBuiltin } from './builtins.ts'
import { BusyLoopThrottle } from '../process/busy-loop-throttle.ts'
import { isBuiltin } from '../process/command-names.ts'
import type { ConstantLoop } from './loops/constant-loop.ts'
import { positionInRound } from './loops/constant-loop.ts'
import type { ExpansionScope, SubstitutionPart } from './expansion.ts'
import { expandFields, expandPattern, expandText, operandOf } from './expansion.ts'
import { LoopReplay } from './loops/loop-replay.ts'
import { programNamed } from '../process/programs.ts'
import { patternExpression } from './pattern.ts'
import { runProgram } from './program-runner.ts'
import { readLine } from './read-line.ts'
import type { ShellStreams } from './redirect.ts'
import { outerStreams, redirected } from './redirect.ts'
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
} from './syntax/syntax.ts'
import { staticText } from './syntax/syntax.ts'
import { loneSimple, wordsOf } from './syntax/syntax-walk.ts'
import { nextCommand, notRead } from './input-commands.ts'
import { known, Unreadable, unknownText } from './unreadable.ts'

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
  readonly streams: ShellStreams
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
  /** What the substitutions of the command that is expanded have printed. */
  readonly #substituted = new Map<SubstitutionPart, string>()
  #workingFolder: WorkingFolder | undefined
  #streams: ShellStreams
  /** The time at which an item of a constant loop runs, while its output is produced. */
  #replayedAt: number | undefined
  /** `exec > file`: the redirection of the command stays. */
  #keepsStreams = false
  #isInterrupted = false

  /** The program that the process has become. */
  #program: string | undefined

  readonly #scope: ExpansionScope

  constructor(deps: ShellDeps) {
    this.#deps = deps
    const { state } = deps
    this.#scope = {
      lookup: (name) => state.lookup(name),
      itemsOf: (name) => state.itemsOf(name),
      positions: () => state.positions,
      isUnsetFatal: () => state.isNounset,
      substituted: (part) => this.#substituted.get(part) ?? '',
      filesMatching: (pattern) => filesMatching(this.#files, known(pattern, 'a pattern')),
    }
    this.#streams = deps.streams
    this.#throttle = new BusyLoopThrottle(() => deps.host.now())
  }

  static ofScript(script: Script, host: ShellHost, streams: OutputStreams): Shell {
    return new Shell({
      host,
      state: ShellState.ofScript(script, host.folder),
      list: script.list,
      isTested: false,
      streams: outerStreams(streams),
    })
  }

  *run(): Running<number> {
    if (this.#readsInput) yield* this.#runInput()
    else yield* this.#runList(this.#deps.list, this.#deps.isTested)
    yield* this.#runExitTrap()
    return this.#deps.state.status
  }

  /** A subshell runs its list. */
  get #readsInput(): boolean {
    const { state, list } = this.#deps
    return state.script.readsInput === true && list === state.script.list
  }

  /** Runs the commands of its input until the end or `exit`. */
  *#runInput(): Running<void> {
    const { state } = this.#deps
    const { dialect, image } = state.script
    for (;;) {
      const { stdin, stderr, isTerminal } = this.#streams
      const command = yield* nextCommand({
        stdin,
        scope: { dialect, image, functions: new Set(state.functions.keys()) },
        prompt: (isContinued) => {
          if (isTerminal === true)
            stderr?.write(isContinued ? '> ' : `${state.folder} # `, this.#now)
        },
      })
      if (command === undefined) return
      const flow =
        command.kind === 'list'
          ? yield* this.#runUntilInterrupt(command.list)
          : this.#complain(command.text)
      if (flow?.kind === 'exit') return
    }
  }

  /** Ctrl+C ends the commands, not the shell. */
  *#runUntilInterrupt(list: CommandList): Running<Flow> {
    const { state } = this.#deps
    this.#isInterrupted = false
    const running = this.#runList(list, false)
    try {
      for (;;) {
        const step = running.next()
        if (step.done === true) return step.value
        const { isInterrupted } = step.value
        yield {
          ...step.value,
          isInterrupted: () => this.#isInterrupted || isInterrupted?.() === true,
        }
        if (!this.#isInterrupted) continue
        state.status = statusOf('INT')
        return undefined
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return this.#complain(notRead(state.script.dialect, error.message))
    } finally {
      running.return(undefined)
    }
  }

  #complain(text: string): undefined {
    this.#streams.stderr?.write(text, this.#now)
    this.#deps.state.status = 127
  }

  get commandLine(): string {
    return this.#program ?? this.#deps.state.script.commandLine ?? unknownText
  }

  /** The last command of all, in whose place the shell does not wait: bash does so only for a single one. */
  #isTail(command: SimpleCommand): boolean {
    const { list, state } = this.#deps
    const last = list.at(-1)
    if (last?.isBackground !== false || last.rest.length > 0 || last.first.isNegated) return false
    if (last.first.command !== command || state.traps.size > 0 || state.exitTrap !== undefined)
      return false
    return state.script.dialect !== 'bash' || list.length === 1
  }

  dispositionOf(signal: Signal): Disposition {
    if (signal === 'INT' && this.#readsInput) return 'handled'
    const trap = this.#deps.state.traps.get(signal)
    if (trap !== undefined) return trap.length === 0 ? 'ignored' : 'handled'
    // With an EXIT trap bash catches fatal signals, also as PID 1 (bash trap.c, sig.c).
    const isBash = this.#deps.state.script.dialect === 'bash'
    const { exitTrap, isLeaving, trappedBeforeExit } = this.#deps.state
    const hasExitTrap = exitTrap !== undefined || isLeaving
    return isBash && hasExitTrap && trappedBeforeExit?.has(signal) !== true ? 'exits' : 'default'
  }

  deliver(signal: Signal): void {
    if (signal === 'INT' && this.#readsInput) {
      this.#isInterrupted = true
      return
    }
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
    const streams = { ...this.#streams, stdin: textInput('') }
    const pid = this.#deps.host.start(this.#subshell(listOfJob(item), false, streams))
    state.lastJob = pid
    state.children.add(pid)
    const [oldest] = state.children
    if (state.children.size > maxChildren && oldest !== undefined) state.children.delete(oldest)
    state.status = 0
    // The child runs as far as it can, as it does while a real shell starts its next program.
    yield { until: this.#deps.host.now() }
    return yield* this.#boundary(true)
  }

  #subshell(list: CommandList, isTested: boolean, streams = this.#streams): Shell {
    const { host, state } = this.#deps
    return new Shell({ host, state: state.fork(), list, isTested, streams })
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
    const failure = yield* this.#redirect(redirections)
    const flow =
      failure === undefined
        ? yield* this.#runRedirected(command, isTested)
        : yield* this.#redirectionFailed(failure, command, isTested)
    if (!this.#keepsStreams) this.#streams = before
    this.#keepsStreams = false
    return flow
  }

  /** Opens redirections in order. Returns what the shell prints if one cannot be opened. */
  *#redirect(redirections: readonly Redirection[]): Running<string | undefined> {
    const { dialect } = this.#deps.state.script
    for (const redirection of redirections) {
      yield* this.#substitute([redirection.target])
      const text = expandText(redirection.target, this.#scope)
      const target = redirection.kind === 'text' ? text : known(text, 'a redirection')
      const opened = redirected(this.#streams, redirection, target, { files: this.#files, dialect })
      if (!opened.ok) return opened.error
      this.#streams = opened.value
    }
    return undefined
  }

  *#redirectionFailed(text: string, command: Command, isTested: boolean): Running<Flow> {
    this.#streams.stderr?.write(text, this.#now)
    this.#deps.state.status = 1
    const [first] = command.kind === 'simple' ? command.words : []
    // POSIX: it ends the shell for a special builtin; of these only exec is redirected in practice.
    if (first !== undefined && staticText(first) === 'exec') return { kind: 'exit' }
    return yield* this.#boundary(isTested)
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
      case 'case':
        return yield* this.#runCase(command, isTested)
      case 'pipeline':
        yield* this.#runPipeline(command.commands)
        return yield* this.#boundary(isTested)
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

  *#runCase(command: Command & { readonly kind: 'case' }, isTested: boolean): Running<Flow> {
    yield* this.#substitute([command.word])
    const text = known(expandText(command.word, this.#scope), 'case')
    this.#deps.state.status = 0
    for (const { patterns, body } of command.branches) {
      for (const pattern of patterns) {
        yield* this.#substitute([pattern])
        const expression = patternExpression(known(expandPattern(pattern, this.#scope), 'case'))
        if (expression.test(text)) return yield* this.#runList(body, isTested)
      }
    }
    return undefined
  }

  /** Every command is a process; the shell waits for all of them. */
  *#runPipeline(commands: readonly Command[]): Running<void> {
    const { host, state } = this.#deps
    const pids: number[] = []
    let before: Pipe | undefined
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1
      const pipe: Pipe | undefined = isLast ? undefined : new Pipe((pid) => host.isAlive(pid))
      const { stdin, stdout, stderr, isWatched } = this.#streams
      const streams = {
        stdin: before ?? stdin,
        stdout: pipe ?? stdout,
        stderr,
        isWatched: isLast ? isWatched : undefined,
      }
      const pid = host.start(this.#subshell(listOfCommand(command), false, streams))
      if (before !== undefined) before.reader = pid
      if (pipe !== undefined) pipe.writer = pid
      before = pipe
      pids.push(pid)
    }
    yield { until: Number.POSITIVE_INFINITY, jobs: pids }
    const statuses = pids.map((pid) => host.statusOf(pid) ?? 0)
    const failed = state.isPipefail ? statuses.findLast((status) => status !== 0) : undefined
    state.status = failed ?? statuses.at(-1) ?? 0
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
    this.#replayedAt = at
    // Neither waits, but for items that sleep, which are cut off.
    this.#redirect(command.redirections ?? []).next()
    this.#runSimple(command, true).next()
    this.#replayedAt = undefined
    this.#streams = before
  }

  *#roundsOfFor(command: Command & { readonly kind: 'for' }, isTested: boolean): Running<Flow> {
    yield* this.#substitute(command.words)
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
    if (command.assignments.length > 0) yield* this.#substitute(wordsOf(command))
    else yield* this.#substitute(command.words)
    const [name, ...operands] = this.#fieldsOf(command)
    if (name === undefined) {
      const { state } = this.#deps
      for (const { name: variable, value, items } of command.assignments) {
        if (items === undefined) state.variables.set(variable, expandText(value, this.#scope))
        else
          state.setItems(
            variable,
            items.flatMap((word) => expandFields(word, this.#scope)),
          )
      }
      this.#deps.state.status = this.#substitutionStatus
      return undefined
    }
    const body = this.#deps.state.functions.get(name)
    if (body !== undefined) return yield* this.#call(body, operands, isTested)
    const overlay =
      command.assignments.length === 0
        ? undefined
        : new Map(command.assignments.map((one) => [one.name, expandText(one.value, this.#scope)]))
    if (!isBuiltin(name)) {
      if (this.#isTail(command)) this.#program = [name, ...operands].join(' ')
      return yield* this.#runProgram(name, operands, overlay)
    }
    if (name === 'exec') return yield* this.#exec(operands)
    if (name === 'cd') return this.#changeFolder(operands)
    const { host, state } = this.#deps
    if (name !== 'read') return yield* runBuiltin(name, operands, state, host)
    const separators = overlay?.get('IFS') ?? state.variables.get('IFS')
    yield* readLine(operands, state, this.#streams.stdin, separators)
    return undefined
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
    state.locals.push(new Map())
    const flow = yield* this.#runCommand(body, isTested)
    for (const [variable, value] of state.locals.pop() ?? []) {
      if (value === undefined) state.variables.delete(variable)
      else state.variables.set(variable, value)
    }
    state.functionDepth--
    state.loopDepth = loopDepth
    state.positions = positions
    return flow?.kind === 'return' ? undefined : flow
  }

  *#runProgram(
    name: string,
    operands: readonly string[],
    overlay?: ReadonlyMap<string, string>,
  ): Running<Flow> {
    const { host, state } = this.#deps
    state.status = yield* runProgram(name, operands, {
      host,
      isWholeProcess: this.#program !== undefined,
      script: state.script,
      streams: this.#streams,
      files: this.#files,
      now: () => this.#now,
      environment: (variable) =>
        overlay?.get(variable) ?? (state.isExported(variable) ? state.lookup(variable) : undefined),
      exportedNames: () => [...new Set([...state.exportedNames(), ...(overlay?.keys() ?? [])])],
    })
    // SIGPIPE ends a process of a pipeline.
    return state.status === statusOf('PIPE') ? { kind: 'exit' } : undefined
  }

  /** Kept while the working folder stays the same. */
  get #files(): WorkingFolder {
    const { host, state } = this.#deps
    if (this.#workingFolder?.path !== state.folder)
      this.#workingFolder = new WorkingFolder(() => host.files, state.folder)
    return this.#workingFolder
  }

  #changeFolder(operands: readonly string[]): undefined {
    const { state } = this.#deps
    const [target = '/root', ...others] = operands
    if (others.length > 0 || target === '-') throw new Unreadable('cd of these')
    const found = this.#files.node(known(target, 'cd'))
    const isBash = state.script.dialect === 'bash'
    state.status = found.ok && found.value.kind === 'folder' ? 0 : isBash ? 1 : 2
    if (state.status === 0) state.folder = cleanPath(this.#files.absolute(target))
    else {
      const error = fileErrorText(found.ok ? 'ENOTDIR' : found.error)
      const text = isBash
        ? `bash: line 1: cd: ${target}: ${error}\n`
        : `sh: cd: line 0: can't cd to ${target}: ${error}\n`
      this.#streams.stderr?.write(text, this.#now)
    }
    return undefined
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
    this.#program = [name, ...rest].join(' ')
    yield* this.#runProgram(name, rest)
    return { kind: 'exit' }
  }

  get #now(): number {
    return this.#replayedAt ?? this.#deps.host.now()
  }

  /** Runs the substitutions in the words, in order, before the words are expanded. */
  *#substitute(words: readonly Word[]): Running<void> {
    for (const word of words) {
      for (const part of word) {
        if (part.kind === 'substitution') yield* this.#substitutePart(part)
        else if (part.kind === 'arithmetic') yield* this.#substitute([part.expression])
        else if (part.kind === 'variable') {
          if (typeof part.index === 'object') yield* this.#substitute([part.index])
          const word = operandOf(part, this.#scope)
          if (word !== undefined) yield* this.#substitute([word])
        }
      }
    }
  }

  *#substitutePart(part: SubstitutionPart): Running<void> {
    const simple = loneSimple(part.list)
    if (simple !== undefined && (yield* this.#substituteSimple(part, simple))) return
    const capture = new Capture()
    const streams = { ...this.#streams, stdout: capture, isWatched: undefined }
    const shell = this.#subshell(part.list, false, streams)
    shell.#replayedAt = this.#replayedAt
    this.#substitutionStatus = yield* shell.run()
    this.#substituted.set(part, capture.text)
  }

  /** A program that ends at once needs no subshell. Returns whether it is one. */
  *#substituteSimple(part: SubstitutionPart, command: SimpleCommand): Running<boolean> {
    const [first] = command.words
    const name = first === undefined ? undefined : staticText(first)
    const program = name === undefined ? undefined : programNamed(name)
    const isPlain = command.assignments.length === 0 && command.redirections === undefined
    if (program?.onlyPrints !== true || !isPlain || this.#deps.state.functions.has(name ?? ''))
      return false
    yield* this.#substitute(command.words)
    const [, ...operands] = this.#fieldsOf(command)
    const effect = program.run(operands, {
      now: this.#now,
      environment: (variable) => this.#deps.state.lookup(variable),
      files: this.#files,
      shell: {
        script: this.#deps.state.script,
        exportedNames: () => this.#deps.state.exportedNames(),
      },
    })
    if (effect.kind !== 'ends') return false
    this.#substitutionStatus = effect.status
    this.#substituted.set(part, effect.output)
    return true
  }
}

/** Whether the loop continues, also after its own `continue`. */
function isNextRound(flow: Flow): boolean {
  return flow === undefined || (flow.kind === 'continue' && flow.levels === 1)
}

/** `( … ) | …` is one process, not a subshell in a subshell. */
function listOfCommand(command: Command): CommandList {
  if (command.kind === 'subshell' && command.redirections === undefined) return command.body
  return [{ first: { isNegated: false, command }, rest: [], isBackground: false }]
}

/** `( … ) &` is one process, not a subshell in a subshell. */
function listOfJob(item: AndOrList): CommandList {
  const { first, rest } = item
  const isSubshell =
    rest.length === 0 &&
    !first.isNegated &&
    first.command.kind === 'subshell' &&
    first.command.redirections === undefined
  return isSubshell ? first.command.body : [{ ...item, isBackground: false }]
}
