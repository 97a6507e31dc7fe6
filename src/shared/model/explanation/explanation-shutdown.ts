import type { TraceData } from '../trace-event.ts'
import type { EventTable } from './event-words.ts'
import { timedOutKill } from './event-words.ts'

interface ExitWords {
  readonly done: string
  readonly toDo: string
  readonly call: string
}

const exits: Readonly<Record<TraceData['node.left']['act'], ExitWords>> = {
  condition: {
    done: 'writes Ready False, AgentExit, into its Node',
    toDo: 'write AgentExit into its Node',
    call: 'PATCH nodes/status',
  },
  cordon: { done: 'cordons its Node', toDo: 'cordon its Node', call: 'PATCH node' },
  delete: { done: 'deletes its Node', toDo: 'delete its Node', call: 'DELETE node' },
}

function pods(count: number): string {
  return count === 1 ? 'one pod' : `${count} pods`
}

/** Graceful node shutdown, and an exit that does not go unsaid. */
export const shutdownEvents = {
  'shutdown.started': {
    section: 'node#graceful-shutdown',
    sentence: ({ pods: count, seconds }) =>
      `The node is shutting down: it is not Ready, rejects new pods and has at most ${seconds} s to terminate ${pods(count)}, in groups from low to high priority.`,
  },
  'shutdown.groupStarted': {
    section: 'node#graceful-shutdown',
    sentence: ({ priority, seconds, pods: count }) =>
      `The group of priority ${priority} terminates: ${pods(count)} at once, within ${seconds} s.`,
  },
  'shutdown.podKilled': {
    section: 'node#graceful-shutdown',
    sentence: ({ gracePeriodSeconds }) =>
      `The shutdown terminates the pod with a grace period of ${gracePeriodSeconds} s: its own or its group’s, whichever is shorter.`,
  },
  'shutdown.podStopped': {
    section: 'node#graceful-shutdown',
    sentence: ({ timedOut }) =>
      timedOut
        ? timedOutKill('; the kubelet stops waiting for them.')
        : 'The containers of the pod have stopped; its object stays, Terminated.',
  },
  'shutdown.groupEnded': {
    section: 'node#graceful-shutdown',
    sentence: ({ priority, left }) =>
      left === 0
        ? `All pods of priority ${priority} have stopped; the next group follows.`
        : `The time of the group of priority ${priority} is over with ${pods(left)} not stopped; the next group follows anyway.`,
  },
  'shutdown.finished': {
    section: 'node#graceful-shutdown',
    sentence: () => 'All groups are done: the kubelet releases the shutdown.',
  },
  'shutdown.cancelled': {
    section: 'node#graceful-shutdown',
    sentence: ({ waits }) =>
      waits
        ? 'The shutdown is canceled; this takes effect after the last group.'
        : 'The shutdown is canceled: the node accepts pods again; terminated pods are not restarted.',
  },
  'node.left': {
    section: 'node#exit',
    word: ({ act }) => exits[act].call,
    sentence: ({ act }) => `Before it exits the kubelet ${exits[act].done}, as configured.`,
  },
  'node.leaveFailed': {
    section: 'node#exit',
    word: ({ act }) => `${exits[act].call} failed`,
    sentence: ({ act, message }) => `The kubelet could not ${exits[act].toDo}: ${message}`,
  },
} satisfies Partial<EventTable>
