import type { Result } from '../../../shared/result.ts'
import type { OutputStream } from './shell/syntax/syntax.ts'

/** The log of one container. No method throws; text that cannot be written is lost. */
export interface ContainerLog {
  /** `at`: ms since the epoch. The text may be several lines or a part of one. */
  readonly write: (stream: OutputStream, text: string, at: number) => void
  /** Continues in a new file with the same path. Returns why it cannot be opened. */
  readonly reopen: () => string | undefined
  /** Writes the rest of the last line. */
  readonly close: (at: number) => void
}

/** Opens logs of containers. The error is one sentence. */
export interface ContainerLogs {
  readonly open: (path: string) => Result<ContainerLog, string>
}
