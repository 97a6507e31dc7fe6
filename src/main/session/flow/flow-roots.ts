import { flowArrow } from '../../../shared/model/flow.ts'
import type { TraceEvent, TraceSeq } from '../../../shared/model/trace-event.ts'

/** Events back to which a cause can be followed: a stop may take minutes of a busy cluster. */
const rememberedEvents = 16_384
/** Roots that may still lead to something. */
const candidatesKept = 256
const rootsShown = 8

function comesFromOutside(event: TraceEvent): boolean {
  if (event.causes.length > 0) return false
  switch (event.kind) {
    // Only persons leave one: what the cluster's own components ask for, the server does not record.
    case 'request.received':
      return event.data.method !== 'GET' && event.data.client !== 'kubelet'
    case 'manifest.changed':
    case 'command.received':
      return true
    default:
      return false
  }
}

/**
 * Which of the things from outside made something move in a kubelet. Takes every event of the cluster in
 * order, remembers for each the newest root that it descends from, and so never walks a chain.
 */
export class FlowRoots {
  /** The root of event `seq` at `seq % rememberedEvents`; 0: none. Each event overwrites the oldest. */
  readonly #rootOf = new Float64Array(rememberedEvents)
  readonly #candidates = new Map<TraceSeq, TraceEvent>()
  readonly #byNode = new Map<string, TraceEvent[]>()

  take(event: TraceEvent): void {
    const root = comesFromOutside(event) ? this.#begin(event) : this.#newestRoot(event)
    this.#rootOf[event.seq % rememberedEvents] = root
    if (root === 0 || event.node === '' || flowArrow(event) === undefined) return
    const origin = this.#candidates.get(root)
    if (origin !== undefined) this.#show(event.node, origin)
  }

  /** Newest first. */
  of(node: string): readonly TraceEvent[] {
    return this.#byNode.get(node) ?? []
  }

  #begin(event: TraceEvent): TraceSeq {
    this.#candidates.set(event.seq, event)
    const oldest = this.#candidates.keys().next().value
    if (this.#candidates.size > candidatesKept && oldest !== undefined)
      this.#candidates.delete(oldest)
    return event.seq
  }

  #newestRoot({ seq, causes }: TraceEvent): TraceSeq {
    let newest = 0
    for (const cause of causes)
      if (cause < seq && seq - cause < rememberedEvents)
        newest = Math.max(newest, this.#rootOf[cause % rememberedEvents] ?? 0)
    return newest
  }

  #show(node: string, origin: TraceEvent): void {
    const shown = this.#byNode.get(node) ?? []
    if (shown.some(({ seq }) => seq === origin.seq)) return
    this.#byNode.set(
      node,
      [...shown, origin].toSorted((a, b) => b.seq - a.seq).slice(0, rootsShown),
    )
  }
}
