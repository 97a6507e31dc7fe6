import type { LoopEntry } from '../../shared/model/cluster-view.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'

/** Names in one line before the rest is only counted. */
const namesShown = 2

function listed(names: readonly string[], pods: number): string {
  const shown = names.slice(0, namesShown).join(', ')
  const rest = pods - Math.min(names.length, namesShown)
  if (shown === '') return `${pods} pods`
  return rest > 0 ? `${shown} and ${rest} more` : shown
}

/** What the sync loop did, in the words of the strip; undefined for events of other parts. Pure. */
export function loopEntry(event: TraceEvent): LoopEntry | undefined {
  const base = { seq: event.seq, at: event.at }
  switch (event.kind) {
    case 'loop.config':
      return {
        ...base,
        input: 'config',
        text: `${event.data.op} ${event.data.source} ${listed(event.data.names, event.data.pods)}`,
      }
    case 'loop.pleg': {
      const name =
        event.subject.kind === 'pod' ? ` ${event.subject.namespace}/${event.subject.name}` : ''
      return { ...base, input: 'pleg', text: `PLEG ${event.data.type}${name}` }
    }
    case 'loop.sync':
      return { ...base, input: 'sync', text: `sync tick, ${event.data.pods} due` }
    case 'loop.housekeeping':
      return {
        ...base,
        input: 'housekeeping',
        text: event.data.skipped
          ? `housekeeping skipped: ${event.data.message}`
          : event.data.message === ''
            ? 'housekeeping'
            : `housekeeping: ${event.data.message}`,
      }
    default:
      return undefined
  }
}

/** The newest entries, bounded, newest first. */
export class LoopRecorder {
  readonly #limit: number
  #recent: LoopEntry[] = []

  constructor(options: { readonly limit: number }) {
    this.#limit = options.limit
  }

  get recent(): readonly LoopEntry[] {
    return this.#recent
  }

  /** Whether the event was one of the loop's. */
  record(event: TraceEvent): boolean {
    const entry = loopEntry(event)
    if (entry === undefined) return false
    this.#recent = [entry, ...this.#recent].slice(0, this.#limit)
    return true
  }
}
