import type { ClockReceipt } from '../../shared/ipc/contract.ts'
import { assertNever } from '../../shared/assert-never.ts'
import { explain } from '../../shared/model/explanation/explanation.ts'
import type { TraceEvent, TraceSubject } from '../../shared/model/trace-event.ts'
import { preciseClockText } from './time.ts'

function subjectName(subject: TraceSubject): string {
  switch (subject.kind) {
    case 'pod':
      return `${subject.namespace}/${subject.name}`
    case 'object':
      return subject.namespace === ''
        ? `${subject.resource} ${subject.name}`
        : `${subject.resource} ${subject.namespace}/${subject.name}`
    case 'source':
      return `source ${subject.source}`
    case 'node':
    case 'cluster':
      return ''
    default:
      return assertNever(subject, 'subject')
  }
}

/** Whose event it is, and what it means. */
function eventText(event: TraceEvent): string {
  return [subjectName(event.subject), explain(event).sentence]
    .filter((part) => part !== '')
    .join(': ')
}

/** What a step of the clock did, in one line; without the event while it is not known. */
export function stepText(stepped: ClockReceipt['stepped'], event: TraceEvent | undefined): string {
  if (stepped === null) return 'No event: no timer is due.'
  const count = stepped.events === 1 ? '1 event' : `${stepped.events} events`
  const head = `${count} at ${preciseClockText(stepped.at)}`
  if (event === undefined) return head
  return `${head}${stepped.events === 1 ? '' : ', first'} ${eventText(event)}`
}
