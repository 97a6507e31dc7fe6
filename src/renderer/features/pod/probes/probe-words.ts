import type { ProbeView } from '../../../../shared/model/probe-view.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { text } from '../../../text/text.ts'

const words = text.pod.probes

/** How many failures there are in a row and what they lead to; empty unless the last run failed. Pure. */
export function failureText(probe: ProbeView): string {
  const { type, runs, resultRun, result, skip, failureThreshold, successThreshold } = probe
  switch (runs.at(-1)) {
    case 'error':
      return words.notCounted
    case 'failure':
      if (type !== 'readiness')
        return skip === 'onHold'
          ? words.stopped(failureThreshold)
          : `${words.inARow(resultRun, failureThreshold)} ${words.atThreshold[type]}`
      return result === 'failure'
        ? words.notReady(resultRun, successThreshold)
        : `${words.inARow(resultRun, failureThreshold)} ${words.atThreshold.readiness}`
    default:
      return ''
  }
}

/** What the last failed run printed; empty where the trace no longer has it. `trace` newest first. Pure. */
export function lastFailure({ container, type }: ProbeView, trace: readonly TraceEvent[]): string {
  for (const event of trace)
    if (
      event.kind === 'probe.failed' &&
      event.data.container === container &&
      event.data.probe === type
    )
      return event.data.message
  return ''
}
