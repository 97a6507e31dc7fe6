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
      `The node is about to shut down: it is not Ready from now on, takes no pod, and has ${seconds} s at most to end ${pods(count)}, group by group from low priority to high.`,
    ),
  'shutdown.groupStarted': ({ priority, seconds, pods: count }) =>
    said(
      '10',
      `The group of priority ${priority} is ended: ${pods(count)} at once, in ${seconds} s at most.`,
    ),
  'shutdown.podKilled': ({ gracePeriodSeconds }) =>
    said(
      '10',
      `The shutdown ends the pod with ${gracePeriodSeconds} s of grace: its own, or what its group has, whichever is less.`,
    ),
  'shutdown.podStopped': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not end within one and a half times the grace (10 s at least); nobody waits for them any more.',
        )
      : said('10', 'The containers of the pod have stopped; its object stays, Terminated.'),
  'shutdown.groupEnded': ({ priority, left }) =>
    left === 0
      ? said('10', `All pods of priority ${priority} have stopped; the next group follows.`)
      : said(
          '10',
          `The time of the group of priority ${priority} is over while ${pods(left)} of it had not stopped; the next group follows all the same.`,
        ),
  'shutdown.finished': () =>
    said('10', 'Every group has had its time: the kubelet lets the machine go off.'),
  'shutdown.cancelled': ({ waits }) =>
    waits
      ? said(
          '10',
          'The shutdown is cancelled, but the kubelet hears of it only when it has been through all groups.',
        )
      : said(
          '10',
          'The shutdown is cancelled: the node takes pods again; those that were ended are not started again.',
        ),
  'node.left': ({ act }) =>
    said('9.7', `Before it exits the kubelet ${exitWords[act][0]}, as it was told to.`),
  'node.leaveFailed': ({ act, message }) =>
    said('9.7', ended(`The kubelet was told to ${exitWords[act][1]} and could not: ${message}`)),
}
