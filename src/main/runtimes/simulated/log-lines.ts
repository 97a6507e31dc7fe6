import type { OutputStream } from './shell/syntax/syntax.ts'

/** containerd's max_container_log_line_size: longer lines are cut into parts. */
const maxLineLength = 16_384

/** A line, or a part of one if `isWhole` is false, without its newline. */
export interface LogLine {
  readonly isWhole: boolean
  readonly text: string
}

/** Of shorter ones slices are kept as they are. */
const longText = 4096

/** A copy: a slice of a long text keeps all of it alive. */
function ofItsOwn(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** Cuts output into lines as containerd does (internal/cri/io/logger.go redirectLogs). */
export class LogLines {
  readonly #rest: Record<OutputStream, string> = { stdout: '', stderr: '' }

  /** The lines that this text completes, and parts of long ones. */
  take(stream: OutputStream, text: string): readonly LogLine[] {
    const lines = (this.#rest[stream] + text).split('\n')
    const kept = text.length > longText ? ofItsOwn : (part: string) => part
    const taken: LogLine[] = []
    const cut = (line: string): string => {
      let end = line
      for (; end.length > maxLineLength; end = end.slice(maxLineLength))
        taken.push({ isWhole: false, text: kept(end.slice(0, maxLineLength)) })
      return kept(end)
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
