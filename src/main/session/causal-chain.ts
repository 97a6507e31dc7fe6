import type { CausalChain } from '../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceSeq } from '../../shared/model/trace-event.ts'

const eventsShown = 80
/** Of these, how many may be causes: what came of an event is asked for as often as what led to it. */
const causesShown = 40

interface Ancestry {
  readonly seqs: ReadonlySet<TraceSeq>
  readonly isCut: boolean
}

function causesOf(event: TraceEvent, bySeq: ReadonlyMap<TraceSeq, TraceEvent>): Ancestry {
  const seqs = new Set<TraceSeq>()
  const queue = [...event.causes]
  let isCut = false
  // The queue grows while it is walked: nearest causes first.
  for (const seq of queue) {
    const cause = bySeq.get(seq)
    if (cause === undefined || seqs.size >= causesShown) isCut = true
    else if (!seqs.has(seq)) {
      seqs.add(seq)
      queue.push(...cause.causes)
    }
  }
  return { seqs, isCut }
}

function effectsOf(
  seq: TraceSeq,
  oldestFirst: readonly TraceEvent[],
  limit: number,
): ReadonlySet<TraceSeq> {
  const led = new Set<TraceSeq>([seq])
  for (const event of oldestFirst) {
    if (led.size > limit) break
    if (event.seq > seq && event.causes.some((cause) => led.has(cause))) led.add(event.seq)
  }
  return led
}

/** One event with what led to it and what it led to. Null: it is not among `oldestFirst`. Pure. */
export function causalChain(seq: TraceSeq, oldestFirst: readonly TraceEvent[]): CausalChain | null {
  const bySeq = new Map(oldestFirst.map((event) => [event.seq, event]))
  const event = bySeq.get(seq)
  if (event === undefined) return null
  const causes = causesOf(event, bySeq)
  const effects = effectsOf(seq, oldestFirst, eventsShown - 1 - causes.seqs.size)
  return {
    seq,
    events: oldestFirst.filter((one) => causes.seqs.has(one.seq) || effects.has(one.seq)),
    isCut: causes.isCut,
  }
}
