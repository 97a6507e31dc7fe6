import type { LoopEntry } from '../../../shared/model/cluster-view.ts'
import { loopEntry } from '../../../shared/model/explanation/explanation.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'

/** The newest entries of the sync loop strip, bounded, newest first. */
export class LoopRecorder {
  readonly #limit: number
  #recent: LoopEntry[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get recent(): readonly LoopEntry[] {
    return this.#recent
  }

  /** Whether the event is one of the sync loop's. */
  record(event: TraceEvent): boolean {
    const entry = loopEntry(event)
    if (entry === undefined) return false
    this.#recent = [entry, ...this.#recent].slice(0, this.#limit)
    return true
  }
}
