import type { Log } from '../kubelet/ports.ts'
import { writeFailure } from './recording-file.ts'
import type { RecordingSink } from './recording-file.ts'
import type { RecordingHeader, RecordingLine } from './recording-format.ts'

export interface RecordingQueueDeps {
  readonly path: string
  readonly sink: RecordingSink
  readonly log: Log
  /** Events and rows that may wait for the disk, at most. */
  readonly maxWaiting?: number | undefined
  /** A write has failed; the sentence says why. */
  readonly onBroken?: ((message: string) => void) | undefined
}

/** Beyond this, lines are lost so that memory stays bounded. */
const defaultMaxWaiting = 50_000
/** Lines that are serialized at once, before other work can run. */
const linesPerWrite = 1000

/**
 * Lines that wait to be written to a recording. `push` never waits and never throws: lines beyond the limit are lost,
 * and the recording says how many are missing, and where.
 */
export class RecordingQueue {
  readonly #deps: RecordingQueueDeps
  readonly #max: number
  #lines: (RecordingHeader | RecordingLine)[] = []
  #waiting = 0
  /** Lines lost since the last accepted line. */
  #lost = 0
  #dropped = 0
  #isBroken = false
  #writing: Promise<void> | undefined

  constructor(deps: RecordingQueueDeps) {
    this.#deps = deps
    this.#max = deps.maxWaiting ?? defaultMaxWaiting
  }

  /** Lines lost in all. */
  get dropped(): number {
    return this.#dropped
  }

  /** A write failed, or the recording has ended: further lines are lost. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** False if the line is lost. */
  push(line: RecordingHeader | RecordingLine): boolean {
    if (this.#isBroken) return false
    if (this.#waiting >= this.#max) {
      this.#lost++
      this.#dropped++
      return false
    }
    this.#pushLost()
    this.#take(line)
    return true
  }

  /** Writes this line after all waiting lines, then closes the file; later lines are ignored. */
  async end(line: RecordingLine): Promise<void> {
    this.#pushLost()
    this.#take(line)
    await this.#writing
    this.#isBroken = true
    await this.#deps.sink.close()
  }

  #pushLost(): void {
    if (this.#lost === 0) return
    const dropped = this.#lost
    this.#lost = 0
    this.#take({ dropped })
  }

  #take(line: RecordingHeader | RecordingLine): void {
    if (this.#isBroken) return
    this.#lines.push(line)
    this.#waiting += weightOf(line)
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async #write(): Promise<void> {
    try {
      // Lines that are pushed in the same tick are written together.
      await Promise.resolve()
      while (this.#lines.length > 0) {
        const lines = this.#lines.splice(0, linesPerWrite)
        await this.#deps.sink.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        for (const line of lines) this.#waiting -= weightOf(line)
      }
    } catch (error) {
      this.#isBroken = true
      this.#lines = []
      const { log, path, sink, onBroken } = this.#deps
      const message = writeFailure(path, error)
      log.error('recording ended', { message })
      onBroken?.(message)
      await sink.close()
    }
  }
}

function weightOf(line: RecordingHeader | RecordingLine): number {
  return 'rows' in line ? 1 + line.rows.length : 1
}
