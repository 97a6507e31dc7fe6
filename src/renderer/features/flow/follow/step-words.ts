import { eventStep } from '../../../../shared/model/explanation/explanation.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { splitName } from '../../../words/uid.ts'

/** A static pod without the name of its node, which is that of all of them here. */
function subjectName(event: TraceEvent): string {
  const { subject } = event
  switch (subject.kind) {
    case 'pod':
    case 'object': {
      const { head, middle, tail } = splitName(subject.name, event.node)
      return middle === `-${event.node}` ? head + tail : subject.name
    }
    case 'source':
      return subject.source
    case 'node':
      // PodManager has dropped a removed pod before its containers exit.
      return event.kind === 'loop.pleg' ? 'a pod that PodManager no longer has' : event.node
    case 'cluster':
    default:
      return event.node
  }
}

/** What an event did on its arrow, in one short sentence. Pure. */
export function stepWords(event: TraceEvent): string {
  return eventStep(event, subjectName(event))
}
