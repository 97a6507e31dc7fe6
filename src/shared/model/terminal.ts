/** In characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** The command of a terminal has ended, or its connection. */
export interface TerminalEnd {
  /** Null: it is not known, and `message` says why. */
  readonly exitCode: number | null
  /** One sentence; empty if there is nothing to add to the exit code. */
  readonly message: string
}

/** More input than this, in UTF-16 units, goes in several requests. */
export const maxTerminalInput = 16_384
