import type { ContainerLogLine } from '../../kubelet/host/container-log-reader.ts'
import { LogLines } from './log-lines.ts'
import type { OutputStream } from './shell/syntax/syntax.ts'

/** Characters and lines that a tail keeps, so that a container that prints forever needs no more. */
const maxCharacters = 65_536
const maxLines = 2000

/** The end of a container's log, in memory. */
export class LogTail {
  readonly #splitter = new LogLines()
  readonly #lines: ContainerLogLine[] = []
  #characters = 0

  write(stream: OutputStream, text: string, at: number): void {
    for (const line of this.#splitter.take(stream, text)) this.#add({ ...line, stream, at })
  }

  /** Adds what has no newline. */
  close(at: number): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.#splitter.takeRest(stream)
      if (rest !== undefined) this.#add({ ...rest, stream, at })
    }
  }

  last(count: number): readonly ContainerLogLine[] {
    return count <= 0 ? [] : this.#lines.slice(-count)
  }

  #add(line: ContainerLogLine): void {
    this.#lines.push(line)
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
  }
}
