import type { Command, CommandList } from './syntax.ts'
import type { Script } from './script.ts'
import type { Signal } from '../process/signals.ts'
import { unknownText } from './unreadable.ts'

/** What is set in every container, to something that only the image or the cluster knows. */
const alwaysSet = /^(PATH|HOME|PWD|OLDPWD|HOSTNAME|USER|UID|EUID|SHLVL|SHELL|TERM|KUBERNETES_\w+)$/

/** Everything a shell remembers between two commands. */
export class ShellState {
  readonly script: Script
  readonly variables: Map<string, string>
  readonly functions: Map<string, Command>
  /** An empty list of commands ignores the signal. */
  readonly traps = new Map<Signal, CommandList>()
  /** Signals with a handler that have come and not been handled yet. */
  readonly pending: Signal[] = []
  /** Its own children in the background, oldest first; a subshell has none of its parent's. */
  readonly children = new Set<number>()
  exitTrap: CommandList | undefined
  /** Signals that had a trap when the first EXIT trap came: bash never catches those of its own accord. */
  trappedBeforeExit: ReadonlySet<Signal> | undefined
  /** The EXIT trap runs, or has run. */
  isLeaving = false
  positions: readonly string[]
  status = 0
  lastJob: number | undefined
  isErrexit = false
  isNounset = false
  functionDepth = 0
  loopDepth = 0
  trapDepth = 0
  /** `$?` when the trap that runs now began: what a bare `exit` in it leaves with. */
  statusBeforeTrap: number | undefined

  private constructor(script: Script, from: ShellState | undefined) {
    this.script = script
    this.variables = new Map(from?.variables ?? script.environment)
    this.functions = new Map(from?.functions)
    this.positions = from?.positions ?? script.positions
  }

  static ofScript(script: Script): ShellState {
    return new ShellState(script, undefined)
  }

  /** A subshell's: a copy, without the handlers; what is ignored stays ignored (POSIX 2.11). */
  fork(): ShellState {
    const child = new ShellState(this.script, this)
    for (const [signal, action] of this.traps) if (action.length === 0) child.traps.set(signal, [])
    child.status = this.status
    child.lastJob = this.lastJob
    child.isErrexit = this.isErrexit
    child.isNounset = this.isNounset
    child.functionDepth = this.functionDepth
    return child
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
        if (/^\d+$/.test(name)) return this.positions[Number(name) - 1]
        return this.variables.get(name) ?? (alwaysSet.test(name) ? unknownText : undefined)
    }
  }
}
