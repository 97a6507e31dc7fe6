import type { Log } from '../kubelet/ports.ts'
import { writeFailure } from './recording-file.ts'
import type { RecordingSink } from './recording-file.ts'
import type { RecordingHeader, RecordingLine } from './recording-format.ts'

export interface RecordingQueueDeps {
  readonly path: string
  readonly sink: RecordingSink
  readonly log: Log
  /** Events and rows that may wait for the disk. */
  readonly maxWaiting?: number | undefined
}

/** Rows and events that may wait; beyond that lines are lost rather than memory. */
const defaultMaxWaiting = 50_000
/** Lines that are made into text at once, before others have their turn. */
const linesPerWrite = 1000

/**
 * Lines on their way into a recording. `push` never waits and never throws: what a slow disk leaves no
 * room for is lost, counted, and said in the recording where it is missing.
 */
export class RecordingQueue {
  readonly #deps: RecordingQueueDeps
  readonly #max: number
  #lines: (RecordingHeader | RecordingLine)[] = []
  #waiting = 0
  /** Lost since the last line that was taken. */
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

  /** The file took no more, or has ended: every line is lost from now on. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** False where the line is lost. */
  push(line: RecordingHeader | RecordingLine): boolean {
    if (this.#isBroken) return false
    if (this.#waiting >= this.#max) {
      this.#lost++
      this.#dropped++
      return false
    }
    this.#sayLost()
    this.#take(line)
    return true
  }

  /** Writes this line after all that wait, then ends the file; what comes later is ignored. */
  async end(line: RecordingLine): Promise<void> {
    this.#sayLost()
    this.#take(line)
    await this.#writing
    this.#isBroken = true
    await this.#deps.sink.close()
  }

  #sayLost(): void {
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
      // What is pushed in the same turn goes together.
      await Promise.resolve()
      while (this.#lines.length > 0) {
        const lines = this.#lines.splice(0, linesPerWrite)
        await this.#deps.sink.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        for (const line of lines) this.#waiting -= weightOf(line)
      }
    } catch (error) {
      this.#isBroken = true
      this.#lines = []
      const { log, path, sink } = this.#deps
      log.error('recording ended', { message: writeFailure(path, error) })
      await sink.close()
    }
  }
}

function weightOf(line: RecordingHeader | RecordingLine): number {
  return 'rows' in line ? 1 + line.rows.length : 1
}
