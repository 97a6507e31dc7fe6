import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceEvent, TraceSeq } from '../../../../shared/model/trace-event.ts'

/** An event and its direct and indirect causes, oldest first, without its effects. Pure. */
export function causesIn({ events }: CausalChain, about: TraceSeq): readonly TraceEvent[] {
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  const wanted = new Set<TraceSeq>()
  const open = [about]
  for (let seq = open.pop(); seq !== undefined; seq = open.pop()) {
    const event = bySeq.get(seq)
    if (event === undefined || wanted.has(seq)) continue
    wanted.add(seq)
    open.push(...event.causes)
  }
  return events.filter(({ seq }) => wanted.has(seq))
}
