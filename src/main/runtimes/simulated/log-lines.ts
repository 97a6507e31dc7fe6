import type { OutputStream } from './shell/syntax/syntax.ts'

/** containerd's max_container_log_line_size: longer lines are cut into parts. */
const maxLineLength = 16_384

/** A line, or a part of one if `isWhole` is false, without its newline. */
export interface LogLine {
  readonly isWhole: boolean
  readonly text: string
}

/** Cuts output into lines as containerd does (internal/cri/io/logger.go redirectLogs). */
export class LogLines {
  readonly #rest: Record<OutputStream, string> = { stdout: '', stderr: '' }

  /** The lines that this text completes, and parts of long ones. */
  take(stream: OutputStream, text: string): readonly LogLine[] {
    const lines = (this.#rest[stream] + text).split('\n')
    const taken: LogLine[] = []
    const cut = (line: string): string => {
      let end = line
      for (; end.length > maxLineLength; end = end.slice(maxLineLength))
        taken.push({ isWhole: false, text: end.slice(0, maxLineLength) })
      return end
    }
    const rest = lines.pop() ?? ''
    for (const line of lines) taken.push({ isWhole: true, text: cut(line) })
    this.#rest[stream] = cut(rest)
    return taken
  }

  /** At the end: text without a newline is a part of a line. */
  takeRest(stream: OutputStream): LogLine | undefined {
    const text = this.#rest[stream]
    this.#rest[stream] = ''
    return text === '' ? undefined : { isWhole: false, text }
  }
}
