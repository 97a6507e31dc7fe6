import type { PodLogOptions } from '../../../shared/kubernetes/pod-log-options.ts'
import { utf8Bytes } from '../kuberuntime/container-hash.ts'
import type { ContainerLogCursor, ContainerLogLine } from '../host/container-log-reader.ts'

/** `2026-11-22T10:00:00.000000000Z`, as Go's RFC3339NanoFixed. */
function timeOf(at: number): string {
  const [whole, fraction] = [Math.floor(at), Math.round((at % 1) * 1e6)]
  const nanos = String(fraction).padStart(6, '0')
  return new Date(whole).toISOString().replace('Z', `${nanos}Z`)
}

/** Writes lines as the options ask for, until it has written as many bytes as they allow (cri-client pkg/logs logWriter). */
class LogWriter {
  readonly #sinceMs: number
  readonly #withTimes: boolean
  #remaining: number
  #isNewLine = true

  constructor({ sinceSeconds, sinceTime, timestamps, limitBytes }: PodLogOptions, now: number) {
    this.#sinceMs =
      sinceSeconds === undefined ? (sinceTime ?? -Infinity) : now - sinceSeconds * 1000
    this.#withTimes = timestamps
    this.#remaining = limitBytes ?? Infinity
  }

  get isFull(): boolean {
    return this.#remaining <= 0
  }

  text(lines: readonly ContainerLogLine[]): string {
    let text = ''
    for (const line of lines) if (!this.isFull) text += this.#line(line)
    return text
  }

  #line({ at, isWhole, text }: ContainerLogLine): string {
    const prefix = this.#withTimes && this.#isNewLine ? `${timeOf(at)} ` : ''
    this.#isNewLine = isWhole
    if (at < this.#sinceMs) return ''
    return this.#cut(`${prefix}${text}${isWhole ? '\n' : ''}`)
  }

  #cut(line: string): string {
    if (this.#remaining === Infinity) return line
    const kept = firstBytes(line, this.#remaining)
    this.#remaining -= utf8Bytes(kept).length
    return kept
  }
}

/** The first bytes of a text. What is left of a character that does not fit is written as bytes. */
function firstBytes(text: string, count: number): string {
  let left = count
  let kept = ''
  for (const character of text) {
    const bytes = utf8Bytes(character)
    if (bytes.length > left)
      return kept + String.fromCharCode(...bytes.slice(0, left).map((byte) => 0xdc00 + byte))
    left -= bytes.length
    kept += character
  }
  return kept
}

async function* textUntilNow(
  cursor: ContainerLogCursor,
  writer: LogWriter,
): AsyncGenerator<string, void, void> {
  do {
    const text = writer.text(await cursor.read())
    if (text !== '') yield text
  } while (!writer.isFull && cursor.isBehind?.() === true)
}

/**
 * The text of a log, from a cursor at its first wanted line. Closes the cursor at the end. With `follow` it ends with the
 * container, or when the cursor is closed (cri-client pkg/logs/logs.go ReadLogs).
 */
export async function* readLogs(
  cursor: ContainerLogCursor,
  options: PodLogOptions,
  now: number,
): AsyncGenerator<string, void, void> {
  const writer = new LogWriter(options, now)
  try {
    for (;;) {
      // Asked before reading: what the container prints last is read too.
      const isMore = options.follow && !writer.isFull
      yield* textUntilNow(cursor, writer)
      if (!isMore || writer.isFull) return
      if (await cursor.more()) continue
      yield* textUntilNow(cursor, writer)
      return
    }
  } finally {
    cursor.close()
  }
}
