import type { CancelTimer, Clock } from '../../../kubelet/ports.ts'
import type { ReadCommand } from '../shell/command-line.ts'
import type { FileContent } from '../files/file-node.ts'
import { onFileChange } from '../files/file-node.ts'
import type { FileTree } from '../files/file-tree.ts'
import type { ContainerNetwork } from '../network/container-network.ts'
import type { ContainerWorld, ExecSession } from './process-table.ts'
import { mainPid, ProcessTable } from './process-table.ts'
import type { OutputStreams, ProcessBody, Running } from './running.ts'
import type { Script } from '../shell/script.ts'
import { Shell } from '../shell/shell.ts'
import type { Signal } from './signals.ts'
import { statusOf } from './signals.ts'
import { Unreadable, unknownText } from '../shell/unreadable.ts'

export interface ProcessExit {
  readonly exitCode: number
  /** Undefined if no signal from outside ended the process. */
  readonly bySignal: 'SIGTERM' | 'SIGKILL' | undefined
}

/** The container of a main process. */
export interface ProcessOwner {
  /** Made at the first call, as most containers use none. */
  readonly files: () => FileTree
  readonly network: () => ContainerNetwork
  /** Where processes start. Absolute; empty: the root. */
  readonly folder: string
  /** The command of the container; empty: that of its image, which is not known. */
  readonly commandLine: string
  readonly onExit: (exit: ProcessExit) => void
  /** The command turned out unreadable, at the start or later. */
  readonly onUnreadable: (why: string) => void
}

/** The longest delay of a real timer (2^31 - 1 ms); longer waits take several timers. */
const longestTimerMs = 2_147_483_647

interface ContainerProcessDeps {
  readonly clock: Clock
  readonly owner: ProcessOwner
  /** Without receivers of its output, endless loops that only print need no timers. */
  readonly streams?: OutputStreams | undefined
}

const noOutput: OutputStreams = { stdout: undefined, stderr: undefined }

/** PID 1 with an unreadable command: it runs until SIGTERM and exits 0. */
class UnreadableBody implements ProcessBody {
  /** What is shown is the container's own. */
  readonly commandLine = unknownText
  #isTerminated = false;

  *run(): Running<number> {
    yield { until: Number.POSITIVE_INFINITY, isInterrupted: () => this.#isTerminated }
    return 0
  }

  dispositionOf(signal: Signal): 'handled' | 'default' {
    return signal === 'TERM' ? 'handled' : 'default'
  }

  deliver(): void {
    this.#isTerminated = true
  }

  leaveBy(): Running<number> {
    return this.run()
  }
}

/**
 * The main process of a container. It has at most one timer, and none while it waits for a signal. An unreadable
 * command runs until SIGTERM and exits 0. `onExit` is called once, possibly inside `start`, `terminate` or `kill`.
 */
export class ContainerProcess {
  readonly #clock: Clock
  readonly #owner: ProcessOwner
  readonly #streams: OutputStreams | undefined
  #table: ProcessTable | undefined
  #cancelTimer: CancelTimer | undefined
  /** Whether what runs is the container's command. */
  #isOwnCommand = false
  #isOver = false
  #isTerminated = false

  #isWoken = false

  constructor(deps: ContainerProcessDeps) {
    this.#clock = deps.clock
    this.#owner = deps.owner
    this.#streams = deps.streams
  }

  get #world(): ContainerWorld {
    const owner = this.#owner
    return {
      files: () => owner.files(),
      folder: owner.folder === '' ? '/' : owner.folder,
      network: owner.network(),
      ...(this.#isOwnCommand ? {} : { mainCommand: owner.commandLine || unknownText }),
      wake: () => {
        this.#wake()
      },
      wakeOnChange: (file) => {
        this.#wakeOnChange(file)
      },
    }
  }

  /** Continues after what changed the file: at the same time, but not inside it. */
  #wakeOnChange(file: FileContent): void {
    onFileChange(file, () => {
      this.#wake()
    })
  }

  #wake(): void {
    if (this.#isOver || this.#isWoken) return
    this.#isWoken = true
    this.#clock.after(0, () => {
      this.#isWoken = false
      this.#advance()
    })
  }

  /** `isOwn`: it is the container's command, and does not stand in for it. */
  start(command: ReadCommand, isOwn = true): void {
    if (command.kind === 'unreadable') {
      this.#owner.onUnreadable(command.why)
      return
    }
    this.#isOwnCommand = isOwn
    const table = new ProcessTable({ now: this.#clock.now(), container: this.#world })
    this.#table = table
    table.start(Shell.ofScript(command.script, table, this.#streams ?? noOutput))
    this.#advance()
  }

  /** SIGTERM. */
  terminate(): void {
    if (this.#isOver) return
    // Everything due until now happens before the signal.
    this.#advance()
    this.#isTerminated = true
    this.#table?.signal(mainPid, 'TERM')
    this.#advance()
  }

  /** SIGKILL. */
  kill(): void {
    if (this.#isOver) return
    // Everything due until now happens before the signal.
    this.#advance()
    this.#end({ exitCode: statusOf('KILL'), bySignal: 'SIGKILL' })
  }

  /**
   * Runs a command in the container. Returns a function that sends it a signal. The session may end inside the call; it ends with
   * SIGKILL when the main process ends.
   */
  exec(script: Script, session: ExecSession, streams: OutputStreams): (signal: Signal) => void {
    // Everything due until now happens before the command starts.
    this.#advance()
    if (this.#isOver) {
      session.onExit(statusOf('KILL'))
      return () => undefined
    }
    const table = this.#table ?? this.#unreadableTable()
    this.#table = table
    const pid = table.exec(Shell.ofScript(script, table, streams), session)
    this.#advance()
    return (signal) => {
      table.signal(pid, signal)
      this.#advance()
    }
  }

  /** Ctrl+C on the terminal of the main process. */
  interrupt(): void {
    if (this.#isOver) return
    this.#table?.signal(mainPid, 'INT')
    this.#advance()
  }

  /** Produces all output until now. */
  catchUp(): void {
    this.#advance()
    this.#table?.catchUp()
  }

  #unreadableTable(): ProcessTable {
    this.#isOwnCommand = false
    const table = new ProcessTable({ now: this.#clock.now(), container: this.#world })
    table.start(new UnreadableBody())
    return table
  }

  #advance(): void {
    if (this.#isOver) return
    if (this.#table === undefined) {
      if (this.#isTerminated) this.#end({ exitCode: 0, bySignal: 'SIGTERM' })
      return
    }
    try {
      this.#table.advance(this.#clock.now())
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#table.abandon(error.message)
      this.#table = undefined
      this.#owner.onUnreadable(error.message)
      return this.#advance()
    }
    const { mainStatus: exitCode, hasReacted } = this.#table
    if (exitCode === undefined) this.#setTimer(this.#table)
    else this.#end({ exitCode, bySignal: hasReacted && this.#isTerminated ? 'SIGTERM' : undefined })
  }

  #setTimer(table: ProcessTable): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const delayMs = table.nextWake - this.#clock.now()
    if (delayMs === Number.POSITIVE_INFINITY) return
    this.#cancelTimer = this.#clock.after(Math.min(delayMs, longestTimerMs), () => {
      this.#advance()
    })
  }

  #end(exit: ProcessExit): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelTimer?.()
    this.#table?.catchUp()
    this.#table?.endAll()
    this.#table = undefined
    this.#owner.onExit(exit)
  }
}
