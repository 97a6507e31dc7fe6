import type { Signal } from './signals.ts'

/**
 * What a process waits for: a time (ms since the epoch, Infinity for ever), or that all of `jobs` have
 * ended, or, where it says so, that a signal with a handler has come.
 */
export interface Wait {
  readonly until: number
  readonly jobs?: readonly number[]
  readonly isInterrupted?: () => boolean
}

/** A computation in virtual time: yields when it must wait, and is gone on with when that is over. */
export type Running<T> = Generator<Wait, T, void>

/** How the rest of a list is left; undefined when the next command comes. The status is kept by the shell. */
export type Flow =
  | { readonly kind: 'exit' }
  | { readonly kind: 'return' }
  | { readonly kind: 'break'; readonly levels: number }
  | { readonly kind: 'continue'; readonly levels: number }
  | undefined

/** What a process does about a signal. `exits`: bash with nothing but an EXIT trap runs it at once and leaves. */
export type Disposition = 'default' | 'ignored' | 'handled' | 'exits'

/** What takes what a process prints; undefined where it goes to a file, or nobody reads it. */
export interface OutputStreams {
  readonly stdout: ((text: string) => void) | undefined
  readonly stderr: ((text: string) => void) | undefined
}

/** A process as the process table sees it. */
export interface ProcessBody {
  /** Returns the exit status; run once. */
  run(): Running<number>
  dispositionOf(signal: Signal): Disposition
  /** Notes a signal that is handled. */
  deliver(signal: Signal): void
  /** What it still does when its disposition is `exits`. */
  leaveBy(signal: Signal): Running<number>
}

/** What a shell asks of the container it runs in. */
export interface ShellHost {
  now(): number
  /** Starts a background process and returns its id. */
  start(body: ProcessBody): number
  /** The exit status of a process that has ended; undefined while it runs, and for an unknown one. */
  statusOf(pid: number): number | undefined
  isAlive(pid: number): boolean
  signal(pid: number, signal: Signal): void
}
