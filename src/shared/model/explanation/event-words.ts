import type { LoopEntry } from '../cluster-view.ts'
import type { TraceData, TraceKind, TraceSubject } from '../trace-event.ts'
import type { Anchor } from '../../handbook/anchors.ts'

/** An event of the trace in one sentence, and the section of the handbook that says why it is so. */
export interface Explanation {
  /** Plain English with the event's own values; ends with a full stop. */
  readonly sentence: string
  readonly section: Anchor
}

type Words<K extends TraceKind, Said = string> = (data: TraceData[K], subject: TraceSubject) => Said

/** How the page words the events of one kind, wherever it shows them. */
export interface EventWords<K extends TraceKind> {
  /** The section of its sentence; `said` names another one where a part of the events belongs elsewhere. */
  readonly section: Anchor
  /** A word or two for an arrow of the flow, in the terms of the API and of CRI. Default: the kind. */
  readonly word?: string | Words<K>
  /** For what can be followed as a cause: who did what. `name`: of the pod or object. Default: the word. */
  readonly cause?: (data: TraceData[K], name: string) => string
  /** A few words for a numbered step of the flow. `name`: of the pod or object. Default: the kind and the name. */
  readonly step?: (data: TraceData[K], name: string, subject: TraceSubject) => string
  /** A line of the sync loop; for what the loop does. */
  readonly line?: Words<K, Pick<LoopEntry, 'input' | 'text'>>
  /** One sentence with the event's own values. Its full stop may be left out. */
  readonly sentence: Words<K, string | Explanation>
}

/** One row for each kind; a kind without one does not compile. */
export type EventTable = { readonly [K in TraceKind]: EventWords<K> }

/** A sentence of another section than its row's. */
export function inSection(section: Anchor, sentence: string): Explanation {
  return { sentence, section }
}

/** The sentence about a kill whose containers did not stop in time; `rest` continues it. */
export function timedOutKill(rest: string): Explanation {
  const sentence = `The containers did not exit within 1.5 times the grace period (at least 10 s)${rest}`
  return inSection('termination#killpodnow', sentence)
}
