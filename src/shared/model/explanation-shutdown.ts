import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended } from './explanation-words.ts'
import type { TraceData } from './trace-event.ts'

type ExitAct = TraceData['node.left']['act']

const exitWords: Readonly<Record<ExitAct, readonly [done: string, toDo: string]>> = {
  condition: ['writes Ready False, AgentExit, into its Node', 'write AgentExit into its Node'],
  cordon: ['cordons its Node', 'cordon its Node'],
  delete: ['deletes its Node', 'delete its Node'],
}

function pods(count: number): string {
  return count === 1 ? 'one pod' : `${count} pods`
}

/** Graceful node shutdown, and an exit that does not go unsaid. */
export const shutdownSentences: Pick<
  Sentences,
  | 'shutdown.started'
  | 'shutdown.groupStarted'
  | 'shutdown.podKilled'
  | 'shutdown.podStopped'
  | 'shutdown.groupEnded'
  | 'shutdown.finished'
  | 'shutdown.cancelled'
  | 'node.left'
  | 'node.leaveFailed'
> = {
  'shutdown.started': ({ pods: count, seconds }) =>
    said(
      '10',
      `The node is shutting down: it is not Ready, rejects new pods and has at most ${seconds} s to terminate ${pods(count)}, in groups from low to high priority.`,
    ),
  'shutdown.groupStarted': ({ priority, seconds, pods: count }) =>
    said(
      '10',
      `The group of priority ${priority} terminates: ${pods(count)} at once, within ${seconds} s.`,
    ),
  'shutdown.podKilled': ({ gracePeriodSeconds }) =>
    said(
      '10',
      `The shutdown terminates the pod with a grace period of ${gracePeriodSeconds} s: its own or its group’s, whichever is shorter.`,
    ),
  'shutdown.podStopped': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not exit within 1.5 times the grace period (at least 10 s); the kubelet stops waiting for them.',
        )
      : said('10', 'The containers of the pod have stopped; its object stays, Terminated.'),
  'shutdown.groupEnded': ({ priority, left }) =>
    left === 0
      ? said('10', `All pods of priority ${priority} have stopped; the next group follows.`)
      : said(
          '10',
          `The time of the group of priority ${priority} is over with ${pods(left)} not stopped; the next group follows anyway.`,
        ),
  'shutdown.finished': () => said('10', 'All groups are done: the kubelet releases the shutdown.'),
  'shutdown.cancelled': ({ waits }) =>
    waits
      ? said('10', 'The shutdown is canceled; this takes effect after the last group.')
      : said(
          '10',
          'The shutdown is canceled: the node accepts pods again; terminated pods are not restarted.',
        ),
  'node.left': ({ act }) =>
    said('9.7', `Before it exits the kubelet ${exitWords[act][0]}, as configured.`),
  'node.leaveFailed': ({ act, message }) =>
    said('9.7', ended(`The kubelet could not ${exitWords[act][1]}: ${message}`)),
}
