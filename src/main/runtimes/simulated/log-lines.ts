import { bytesOfText, textOfBytes } from '../../files/byte-text.ts'
import type { OutputStream } from './shell/syntax/syntax.ts'

/** containerd's max_container_log_line_size: longer lines are cut into parts. */
const maxLineBytes = 16_384
/** Of one UTF-16 unit. */
const mostBytes = 3

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

/** Parts of the limit each, and what is left. A character may begin in one part and end in the next. */
function partsOf(line: string): readonly string[] {
  if (line.length * mostBytes <= maxLineBytes) return [line]
  const bytes = bytesOfText(line)
  if (bytes.length <= maxLineBytes) return [line]
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += maxLineBytes)
    parts.push(textOfBytes(bytes.subarray(at, at + maxLineBytes)))
  return parts
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
      const parts = partsOf(line)
      for (const part of parts.slice(0, -1)) taken.push({ isWhole: false, text: kept(part) })
      return kept(parts.at(-1) ?? '')
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
