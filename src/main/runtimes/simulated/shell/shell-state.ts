import type { Command, CommandList } from './syntax/syntax.ts'
import type { Script } from './script.ts'
import { hasKnownPrograms } from '../process/image-programs.ts'
import type { Signal } from '../process/signals.ts'
import { unknownText } from './unreadable.ts'

/** Variables that are set in every container, to values that depend on the image or the cluster. */
const alwaysSet = /^(PATH|HOME|PWD|OLDPWD|HOSTNAME|USER|UID|EUID|SHLVL|SHELL|TERM|KUBERNETES_\w+)$/

/** The state of a shell between two commands. */
export class ShellState {
  readonly script: Script
  readonly variables: Map<string, string>
  readonly functions: Map<string, Command>
  /** An empty list of commands ignores the signal. */
  readonly traps = new Map<Signal, CommandList>()
  /** Signals that wait for their handler. */
  readonly pending: Signal[] = []
  /** Its background children, oldest first; a subshell does not have its parent's. */
  readonly children = new Set<number>()
  exitTrap: CommandList | undefined
  /** Signals that had a trap before the first EXIT trap: for these, bash does not run the EXIT trap. */
  trappedBeforeExit: ReadonlySet<Signal> | undefined
  /** Whether the EXIT trap runs or has run. */
  isLeaving = false
  positions: readonly string[]
  /** The working folder: absolute, without symbolic links resolved. */
  folder: string
  status = 0
  lastJob: number | undefined
  isErrexit = false
  isNounset = false
  functionDepth = 0
  loopDepth = 0
  trapDepth = 0
  /** `$?` at the start of the running trap: the status of a bare `exit` in it. */
  statusBeforeTrap: number | undefined

  isPipefail = false
  /** bash's arrays, undefined: none. The first item of each is a variable too. */
  #arrays: Map<string, readonly string[]> | undefined
  /** By `export`; undefined: none. */
  #exported: Set<string> | undefined
  /** The values that variables had before `local`, for each running function. */
  readonly locals: Map<string, string | undefined>[] = []

  private constructor(script: Script, from: ShellState | undefined, folder: string) {
    this.script = script
    this.variables = new Map(from?.variables ?? script.environment)
    this.functions = new Map(from?.functions)
    this.positions = from?.positions ?? script.positions
    this.folder = folder
  }

  static ofScript(script: Script, folder: string): ShellState {
    return new ShellState(script, undefined, folder)
  }

  /** The state of a subshell: a copy without handlers; ignored signals stay ignored (POSIX 2.11). */
  fork(): ShellState {
    const child = new ShellState(this.script, this, this.folder)
    for (const [signal, action] of this.traps) if (action.length === 0) child.traps.set(signal, [])
    child.status = this.status
    child.lastJob = this.lastJob
    child.isErrexit = this.isErrexit
    child.isNounset = this.isNounset
    child.isPipefail = this.isPipefail
    child.functionDepth = this.functionDepth
    child.#exported = this.#exported && new Set(this.#exported)
    child.#arrays = this.#arrays && new Map(this.#arrays)
    return child
  }

  setItems(name: string, items: readonly string[]): void {
    const [first] = items
    this.#arrays ??= new Map()
    this.#arrays.set(name, items)
    if (first === undefined) this.variables.delete(name)
    else this.variables.set(name, first)
  }

  unset(name: string): void {
    this.variables.delete(name)
    this.#arrays?.delete(name)
    this.functions.delete(name)
  }

  /** Of an array; a variable is one of one item. */
  itemsOf(name: string): readonly string[] {
    const value = this.lookup(name)
    const [first, ...rest] = this.#arrays?.get(name) ?? []
    if (first === undefined) return value === undefined ? [] : [value]
    return [value ?? first, ...rest]
  }

  export(name: string): void {
    this.#exported ??= new Set()
    this.#exported.add(name)
  }

  /** The variables that programs get. */
  exportedNames(): readonly string[] {
    const { environment, isShell } = this.script
    const names = new Set(['PATH', 'HOSTNAME', ...environment.keys(), ...(this.#exported ?? [])])
    if (isShell === true) names.add('SHLVL')
    names.add('HOME')
    if (isShell === true) names.add('PWD')
    return [...names].filter((name) => this.lookup(name) !== undefined)
  }

  isExported(name: string): boolean {
    return alwaysSet.test(name) || this.exportedNames().includes(name)
  }

  lookup(name: string): string | undefined {
    switch (name) {
      case '?':
        return String(this.status)
      case '$':
        return '1'
      case '!':
        return this.lastJob === undefined ? undefined : String(this.lastJob)
      case '#':
        return String(this.positions.length)
      case '0':
        return unknownText
      default:
        if (name === 'PWD') return this.folder
        if (/^\d+$/.test(name)) return this.positions[Number(name) - 1]
        return (
          this.variables.get(name) ??
          this.#imageVariable(name) ??
          (alwaysSet.test(name) ? unknownText : undefined)
        )
    }
  }

  /** What an image that is known gives to its processes. */
  #imageVariable(name: string): string | undefined {
    const { image, user } = this.script
    if (!hasKnownPrograms(image)) return undefined
    if (name === 'PATH') return '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    if (name === 'SHLVL') return '1'
    return name === 'HOME' ? ((user?.uid ?? 0) === 0 ? '/root' : '/') : undefined
  }
}
