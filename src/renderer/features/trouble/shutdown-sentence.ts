import { assertNever } from '../../../shared/assert-never.ts'
import type {
  NodeShutdownView,
  ShutdownGroupView,
} from '../../../shared/model/node-shutdown-view.ts'

function groupWords({ priority, seconds, pods, stopped, state }: ShutdownGroupView): string {
  const name = `priority ${priority}`
  const count = `${stopped} of ${pods.length} stopped`
  switch (state) {
    case 'waiting':
      return `${name}: waits, ${pods.length} to stop in ${seconds} s at most`
    case 'running':
      return `${name}: ${count}, ${seconds} s at most`
    case 'done':
      return `${name}: done, ${count}`
    case 'timedOut':
      return `${name}: timed out, ${count}`
    case 'empty':
      return `${name}: no pods`
    default:
      return assertNever(state, 'state of a shutdown group')
  }
}

/** How a graceful shutdown stands, group by group in the order in which they end. Pure. */
export function shutdownSentence({ groups, cancelRequested }: NodeShutdownView): string {
  const cancelled = cancelRequested
    ? ' It is canceled, which takes effect after the last group.'
    : ''
  return `It rejects new pods and terminates its own. ${groups.map(groupWords).join('; ')}.${cancelled}`
}
