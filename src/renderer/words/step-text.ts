import type { ClockReceipt } from '../../shared/ipc/contract.ts'
import { subjectWords } from '../../shared/model/explanation/explanation-words.ts'
import { explain } from '../../shared/model/explanation/explanation.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { text } from '../text/text.ts'
import { preciseClockText } from './time.ts'

/** What an event is about, and what it means. */
function eventText(event: TraceEvent): string {
  const { kind } = event.subject
  const { sentence } = explain(event)
  // The sentence itself names the node or the cluster.
  if (kind === 'node' || kind === 'cluster') return sentence
  return `${subjectWords(event.subject)}: ${sentence}`
}

/** What a step of the clock did, in one line; without the event while it is not known. */
export function stepText(stepped: ClockReceipt['stepped'], event: TraceEvent | undefined): string {
  if (stepped === null) return text.common.stepNothing
  const first = event === undefined ? '' : eventText(event)
  return text.common.stepped(stepped.events, preciseClockText(stepped.at), first)
}
