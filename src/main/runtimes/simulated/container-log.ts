import type { Result } from '../../../shared/result.ts'
import type { OutputStream } from './shell/syntax.ts'

/** The log of one container. Nothing here throws: what cannot be written is lost. */
export interface ContainerLog {
  /** `at`: ms since the epoch. The text may hold several lines, or a part of one. */
  readonly write: (stream: OutputStream, text: string, at: number) => void
  /** Goes on in a new file of the same path. Why it cannot; undefined when it does. */
  readonly reopen: () => string | undefined
  /** Writes what is left of the last line. */
  readonly close: (at: number) => void
}

/** Where containers log to. The error is one sentence. */
export interface ContainerLogs {
  readonly open: (path: string) => Result<ContainerLog, string>
}
