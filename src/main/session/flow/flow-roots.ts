import { eventCause } from '../../../shared/model/explanation/explanation.ts'
import { flowArrow } from '../../../shared/model/flow.ts'
import type { TraceEvent, TraceSeq } from '../../../shared/model/trace-event.ts'

/** How many events back a cause is found: a stop may take minutes in a busy cluster. */
const rememberedEvents = 16_384
/** Roots whose effects may still follow. */
const candidatesKept = 256
const rootsShown = 8

function comesFromOutside(event: TraceEvent): boolean {
  // What a probe found in a container has its start among its causes, but is news.
  if (event.kind === 'probe.resultChanged')
    return event.data.probed && event.data.result === 'failure'
  if (event.causes.length > 0) return false
  switch (event.kind) {
    // The server records only requests of users, not of the cluster's own components.
    case 'request.received':
      return event.data.method !== 'GET' && event.data.client !== 'kubelet'
    case 'manifest.changed':
    case 'command.received':
      return true
    default:
      return false
  }
}

/** A probe fails again and again: only its newest failure is shown, so that other causes stay in the list. */
function isRepeated(before: TraceEvent, now: TraceEvent): boolean {
  return now.kind === 'probe.resultChanged' && eventCause(before) === eventCause(now)
}

/**
 * Finds the outside causes (roots) of what moves in a kubelet. Takes every event of the cluster in order and stores its
 * newest root, so it never walks a causal chain.
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
    const isKnown = (one: TraceEvent): boolean =>
      one.seq === origin.seq || (one.seq > origin.seq && isRepeated(one, origin))
    if (shown.some(isKnown)) return
    const others = shown.filter((one) => !isRepeated(one, origin))
    this.#byNode.set(
      node,
      [...others, origin].toSorted((a, b) => b.seq - a.seq).slice(0, rootsShown),
    )
  }
}
