import type { NodeAct } from '../node-act.ts'
import type { CallFault } from '../node/node-faults.ts'
import { faultyCall } from '../node/node-faults.ts'
import type { EventTable } from './event-words.ts'
import { inSection } from './event-words.ts'
import { pressureEvents } from './explanation-pressure.ts'
import type { Anchor } from '../../handbook/anchors.ts'
import { spanWords } from './explanation-words.ts'

const commandWords: Readonly<Record<NodeAct, readonly [words: string, section: Anchor]>> = {
  restartAgent: ['restart the kubelet of this node', 'sync-loop#housekeeping'],
  stopAgent: ['stop the kubelet of this node', 'node#lease'],
  startAgent: ['start the kubelet of this node', 'sync-loop#housekeeping'],
  shutDown: ['shut this node down gracefully', 'node#graceful-shutdown'],
  cancelShutDown: ['cancel the shutdown of this node', 'node#graceful-shutdown'],
  powerOff: ['power off this node', 'node#graceful-shutdown'],
  boot: ['boot this node', 'node#graceful-shutdown'],
  cutOff: ['cut this node off from the API server', 'node#lease'],
  reconnect: ['reconnect this node to the API server', 'node#lease'],
  runtimeDown: ['make the container runtime of this node unreachable', 'containers#pleg'],
  runtimeHangs: ['let calls of the container runtime of this node hang', 'containers#pleg'],
  runtimeAnswers: ['let the container runtime of this node answer again', 'containers#pleg'],
  failCall: ['make a runtime call of this node fail', 'containers#pleg'],
  callsAnswer: ['let the runtime call of this node answer again', 'containers#pleg'],
  fillDisk: ['fill the disk of the images of this node', 'images#garbage-collection'],
  freeDisk: ['free the disk of the images of this node', 'images#garbage-collection'],
  slowMounts: ['make volumes of this node slow to set up', 'containers#volumes'],
  usualMounts: ['let volumes of this node be set up at once', 'containers#volumes'],
}

/** What a user asked for, with its section. */
function commandOf({
  act,
  call,
}: {
  readonly act: NodeAct
  readonly call?: CallFault
}): readonly [words: string, section: Anchor] {
  const [words, section] = commandWords[act]
  if (call === undefined) return [words, section]
  return [
    `make ${faultyCall(call)} ${call.how === 'fails' ? 'fail' : 'hang'} on this node`,
    section,
  ]
}

/** Eviction, the node, and events. */
export const nodeEvents = {
  ...pressureEvents,
  'node.commanded': {
    section: 'node#lease',
    sentence: (command) => {
      const [words, section] = commandOf(command)
      return inSection(section, `A user requested on this page to ${words}.`)
    },
  },
  'node.commandRefused': {
    section: 'node#lease',
    sentence: (command) => {
      const [words, section] = commandOf(command)
      return inSection(section, `The request to ${words} was refused: ${command.message}`)
    },
  },
  'cluster.linkSwitched': {
    section: 'node#lease',
    sentence: ({ cut }) =>
      cut
        ? 'The nodes are disconnected from the API server. Kubelets continue with their last known pods; their writes wait.'
        : 'The nodes are connected to the API server again.',
  },
  'cluster.faultsChanged': {
    section: 'node#lease',
    sentence: ({ faults }) =>
      faults === ''
        ? 'All faults of the sandbox are taken back.'
        : `The sandbox now makes fail on purpose: ${faults}.`,
  },
  'agent.started': {
    section: 'sync-loop#housekeeping',
    sentence: () =>
      'A kubelet starts with empty memory. It reads containers from the runtime and pods from their sources.',
  },
  'agent.stopped': {
    section: 'node#lease',
    sentence: () => 'The kubelet exits without writing anything; containers keep running.',
  },
  'machine.switched': {
    section: 'node#graceful-shutdown',
    sentence: ({ on }) =>
      on
        ? 'The machine has booted; its runtime finds every container exited.'
        : 'The machine is off: the kubelet and all containers are gone at once.',
  },
  'node.registered': {
    section: 'node#registration',
    word: ({ created }) => (created ? 'POST node' : 'GET node'),
    sentence: ({ created, corrected }) => {
      if (created) return 'The kubelet has created its Node object.'
      return corrected.length === 0
        ? 'The Node object already exists, and the kubelet uses it.'
        : `The Node object already exists; the kubelet corrects its ${corrected.join(' and ')} and uses it.`
    },
  },
  'node.registrationFailed': {
    section: 'node#registration',
    word: 'POST node failed',
    sentence: ({ message, retryMs }) =>
      `The node could not be registered; retrying in ${spanWords(retryMs)}: ${message}`,
  },
  'node.statusWritten': {
    section: 'node#status-updates',
    word: 'PATCH nodes/status',
    sentence: ({ ready, changed }) =>
      `The kubelet writes the status of its node, ${ready ? 'Ready' : 'not Ready'}, ${changed ? 'because it changed' : 'after five minutes without a change'}.`,
  },
  'node.statusFailed': {
    section: 'node#status-updates',
    word: 'PATCH nodes/status failed',
    sentence: ({ message }) => `The status of the node could not be written: ${message}`,
  },
  'lease.renewed': {
    section: 'node#lease',
    word: 'PUT lease',
    step: () => 'lease renewed',
    sentence: ({ renewTime }) => `The kubelet renews its lease (${renewTime}).`,
  },
  'lease.failed': {
    section: 'node#lease',
    word: 'PUT lease failed',
    step: ({ message }) => `lease not renewed: ${message}`,
    sentence: ({ message }) =>
      `The lease could not be written; if this continues, the node becomes Unknown: ${message}`,
  },
  'event.recorded': {
    section: 'identity#uids-in-events',
    sentence: ({ type, reason, message, by = 'kubelet' }) =>
      `The ${by} records the ${type} event ${reason}: ${message}`,
  },
} satisfies Partial<EventTable>
