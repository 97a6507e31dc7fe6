import type {
  TraceData,
  TraceInput,
  TraceKind,
  TraceSeq,
} from '../../../shared/model/trace-event.ts'
import type { Trace } from '../ports.ts'

/** A trace that keeps everything, numbered from 1. */
export class FakeTrace implements Trace {
  readonly events: TraceInput[] = []

  readonly emit = (event: TraceInput): TraceSeq => this.events.push(event)

  /** The data of all events of one kind, in order. */
  data<K extends TraceKind>(kind: K): readonly TraceData[K][] {
    return this.events.flatMap((event) =>
      // The kind decides the data's type; the compiler does not narrow a generic kind.
      event.kind === kind ? [event.data as TraceData[K]] : [],
    )
  }

  /** Kinds, in order. */
  get kinds(): readonly TraceKind[] {
    return this.events.map(({ kind }) => kind)
  }

  causesOf(seq: TraceSeq): readonly TraceSeq[] | undefined {
    return this.events[seq - 1]?.causes
  }
}
