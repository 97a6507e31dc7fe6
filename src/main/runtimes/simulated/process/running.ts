import type { FileContent } from '../files/file-node.ts'
import type { FileTree } from '../files/file-tree.ts'
import type { ContainerNetwork } from '../network/container-network.ts'
import type { Input } from './byte-streams.ts'
import type { Signal } from './signals.ts'

/**
 * What a process waits for: a time (ms since the epoch, Infinity for none), the end of all `jobs`, or a signal
 * (`isInterrupted`).
 */
export interface Wait {
  readonly until: number
  readonly jobs?: readonly number[]
  readonly isInterrupted?: () => boolean
  /** Produces the output until now of a process that waits without producing it. */
  readonly catchUp?: () => void
}

/** Code of a process: it yields what it waits for, and is resumed when the wait is over. */
export type Running<T> = Generator<Wait, T, void>

/** How control leaves a list; undefined: the next command runs. The shell keeps the status. */
export type Flow =
  | { readonly kind: 'exit' }
  | { readonly kind: 'return' }
  | { readonly kind: 'break'; readonly levels: number }
  | { readonly kind: 'continue'; readonly levels: number }
  | undefined

/** How a process reacts to a signal. `exits`: bash with only an EXIT trap runs the trap and exits. */
export type Disposition = 'default' | 'ignored' | 'handled' | 'exits'

/** Receives output. `at`: when it was printed, in ms since the epoch. */
type Receive = (text: string, at: number) => void

/** Receivers of a process's output; undefined if the output goes to a file or is not needed. */
export interface OutputStreams {
  readonly stdout: Receive | undefined
  readonly stderr: Receive | undefined
  /** Whether output is needed as it happens; otherwise endless loops produce it only when asked. Absent: yes. */
  readonly isWatched?: () => boolean
  /** Absent: empty. */
  readonly stdin?: Input | undefined
  /** Whether a shell shows a prompt. */
  readonly isTerminal?: boolean
}

/** A process as `ps` shows it. */
export interface ShownProcess {
  readonly pid: number
  /** With its operands. */
  readonly command: string
}

/** What the process table needs of a process. */
export interface ProcessBody {
  /** The program and its operands, as they are now. */
  readonly commandLine: string
  /** Returns the exit status. Called once. */
  run(): Running<number>
  dispositionOf(signal: Signal): Disposition
  /** Queues a signal for its handler. */
  deliver(signal: Signal): void
  /** Runs instead of the rest when the disposition is `exits`. */
  leaveBy(signal: Signal): Running<number>
}

/** What a shell needs of its container. */
export interface ShellHost {
  now(): number
  /** Starts a background process and returns its id. */
  start(body: ProcessBody): number
  /** The exit status of an ended process; undefined for a running or unknown one. */
  statusOf(pid: number): number | undefined
  isAlive(pid: number): boolean
  /** By their ids. `asking`: the program that a shell runs in the foreground, which gets no process otherwise. */
  processes(asking: string | undefined): readonly ShownProcess[]
  signal(pid: number, signal: Signal): void
  /** The container's files. */
  readonly files: FileTree
  /** Where its processes start. */
  readonly folder: string
  /** Continues waiting processes when the file changes. */
  wakeOnChange(file: FileContent): void
  readonly network: ContainerNetwork
  /** Continues processes whose wait is over, soon. */
  wake(): void
}
