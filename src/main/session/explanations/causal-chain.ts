import type { CausalChain } from '../../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceSeq } from '../../../shared/model/trace-event.ts'

const eventsShown = 80
/** Of these, at most this many are causes; the rest is for effects. */
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

/** One iteration of the sync loop handles several pods; its events for one pod are not effects of another's cause. */
function isOfSeveral({ kind, data }: TraceEvent): boolean {
  return (kind === 'loop.sync' || kind === 'loop.config') && 'pods' in data && data.pods > 1
}

function podOf({ subject }: TraceEvent): string {
  return subject.kind === 'pod' ? subject.uid : ''
}

/** Collects the effects of an event, from events oldest first. */
class Effects {
  readonly seqs: Set<TraceSeq>
  readonly #ofSeveral = new Set<TraceSeq>()
  readonly #pods = new Set<string>()

  constructor(event: TraceEvent) {
    this.seqs = new Set([event.seq])
    const pod = podOf(event)
    if (pod !== '') this.#pods.add(pod)
  }

  take(event: TraceEvent): void {
    const led = event.causes.filter((cause) => this.seqs.has(cause))
    if (led.length === 0) return
    const pod = podOf(event)
    const isOfAnother = pod !== '' && !this.#pods.has(pod)
    if (isOfAnother && led.every((cause) => this.#ofSeveral.has(cause))) return
    this.seqs.add(event.seq)
    if (pod !== '') this.#pods.add(pod)
    if (isOfSeveral(event)) this.#ofSeveral.add(event.seq)
  }
}

function effectsOf(
  event: TraceEvent,
  oldestFirst: readonly TraceEvent[],
  limit: number,
): ReadonlySet<TraceSeq> {
  const effects = new Effects(event)
  for (const one of oldestFirst) {
    if (effects.seqs.size > limit) break
    if (one.seq > event.seq) effects.take(one)
  }
  return effects.seqs
}

/** One event with its causes and effects. Null if it is not among `oldestFirst`. Pure. */
export function causalChain(seq: TraceSeq, oldestFirst: readonly TraceEvent[]): CausalChain | null {
  const bySeq = new Map(oldestFirst.map((event) => [event.seq, event]))
  const event = bySeq.get(seq)
  if (event === undefined) return null
  const causes = causesOf(event, bySeq)
  const effects = effectsOf(event, oldestFirst, eventsShown - 1 - causes.seqs.size)
  return {
    seq,
    events: oldestFirst.filter((one) => causes.seqs.has(one.seq) || effects.has(one.seq)),
    isCut: causes.isCut,
  }
}
