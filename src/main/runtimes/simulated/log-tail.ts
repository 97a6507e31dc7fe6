import type {
  ContainerLogCursor,
  ContainerLogLine,
} from '../../kubelet/host/container-log-reader.ts'
import { LogLines } from './log-lines.ts'
import type { OutputStream } from './shell/syntax/syntax.ts'

/** Characters and lines that a tail keeps, so that a container that prints forever needs no more. */
const maxCharacters = 65_536
const maxLines = 2000
/** Of a CRI log: time, stream, tag and newline. */
const linePrefixBytes = 46

/** The end of a container's log, in memory. */
export class LogTail {
  readonly #splitter = new LogLines()
  readonly #lines: ContainerLogLine[] = []
  #characters = 0
  /** All that was ever written, as in a log file. */
  writtenBytes = 0
  /** How many lines are no longer kept. */
  #dropped = 0
  /** Those who wait for more; undefined after the end. */
  #waiting: Set<(isMore: boolean) => void> | undefined = new Set()

  write(stream: OutputStream, text: string, at: number): void {
    // Spelled out: V8 gives each object made by a spread a description of its own, larger than the line.
    for (const { isWhole, text: line } of this.#splitter.take(stream, text))
      this.#add({ at, stream, isWhole, text: line })
  }

  /** Adds what has no newline. */
  close(at: number): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#splitter.takeRest(stream)
      if (rest !== undefined) this.#add({ at, stream, isWhole: rest.isWhole, text: rest.text })
    }
    for (const resolve of this.#waiting ?? []) resolve(false)
    this.#waiting = undefined
  }

  /** Whether someone waits for more. */
  get isAwaited(): boolean {
    return (this.#waiting?.size ?? 0) > 0
  }

  /** `catchUp` makes the lines until now. */
  cursor(count: number, catchUp: () => void): ContainerLogCursor {
    catchUp()
    let next = this.#dropped + Math.max(0, this.#lines.length - count)
    let stop: ((isMore: boolean) => void) | undefined
    let isClosed = false
    return {
      read: () => {
        catchUp()
        const lines = this.#lines.slice(Math.max(0, next - this.#dropped))
        next = this.#dropped + this.#lines.length
        return Promise.resolve(lines)
      },
      more: () => {
        if (next < this.#dropped + this.#lines.length) return Promise.resolve(true)
        const waiting = this.#waiting
        if (waiting === undefined || isClosed) return Promise.resolve(false)
        return new Promise((resolve) => {
          stop = (isMore) => {
            waiting.delete(resolve)
            resolve(isMore)
          }
          waiting.add(resolve)
          // From now on lines are made as they are due.
          catchUp()
        })
      },
      close: () => {
        isClosed = true
        stop?.(false)
      },
    }
  }

  last(count: number): readonly ContainerLogLine[] {
    return count <= 0 ? [] : this.#lines.slice(-count)
  }

  #add(line: ContainerLogLine): void {
    this.#lines.push(line)
    this.writtenBytes += linePrefixBytes + line.text.length
    const waiting = [...(this.#waiting ?? [])]
    this.#waiting?.clear()
    for (const resolve of waiting) resolve(true)
    this.#characters += line.text.length
    if (this.#lines.length <= maxLines && this.#characters <= maxCharacters) return
    // Half of it goes at once, so that most lines cost nothing more.
    let dropped = 0
    while (
      this.#lines.length - dropped > maxLines / 2 ||
      (this.#characters > maxCharacters / 2 && dropped < this.#lines.length - 1)
    ) {
      this.#characters -= this.#lines[dropped]?.text.length ?? 0
      dropped++
    }
    this.#lines.splice(0, dropped)
    this.#dropped += dropped
  }
}
