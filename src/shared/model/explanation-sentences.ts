import type { Section } from './explanation-sections.ts'
import type { TraceData, TraceKind, TraceSubject } from './trace-event.ts'

/** An event of the trace in one sentence, and where the semantics say why it is so. */
export interface Explanation {
  /** Plain English with the event's own values; ends with a full stop. */
  readonly sentence: string
  readonly section: Section
}

/** One function for each kind; a kind without one does not compile. */
export type Sentences = {
  readonly [K in TraceKind]: (data: TraceData[K], subject: TraceSubject) => Explanation
}

/** Puts the two together. */
export function said(section: Section, sentence: string): Explanation {
  return { sentence, section }
}
