import type { Section } from './explanation-sections.ts'
import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, spanWords } from './explanation-words.ts'
import type { NodeAct } from './node-act.ts'

const commandWords: Readonly<Record<NodeAct, readonly [words: string, section: Section]>> = {
  restartAgent: ['restart the kubelet of this node', '5.8'],
  stopAgent: ['stop the kubelet of this node', '9.4'],
  startAgent: ['start the kubelet of this node', '5.8'],
  shutDown: ['shut this node down gracefully', '10'],
  cancelShutDown: ['cancel the shutdown of this node', '10'],
  powerOff: ['power off this node', '10'],
  boot: ['boot this node', '10'],
  cutOff: ['cut this node off from the API server', '9.4'],
  reconnect: ['reconnect this node to the API server', '9.4'],
}

/** Eviction, the node, and events. */
export const nodeSentences: Pick<
  Sentences,
  | 'node.commanded'
  | 'node.commandRefused'
  | 'cluster.linkSwitched'
  | 'agent.started'
  | 'agent.stopped'
  | 'machine.switched'
  | 'eviction.requested'
  | 'eviction.refused'
  | 'eviction.completed'
  | 'node.registered'
  | 'node.registrationFailed'
  | 'node.statusWritten'
  | 'node.statusFailed'
  | 'lease.renewed'
  | 'lease.failed'
  | 'event.recorded'
> = {
  'node.commanded': ({ act }) => {
    const [words, section] = commandWords[act]
    return said(section, `A user requested on this page to ${words}.`)
  },
  'node.commandRefused': ({ act, message }) => {
    const [words, section] = commandWords[act]
    return said(section, ended(`The request to ${words} was refused: ${message}`))
  },
  'cluster.linkSwitched': ({ cut }) =>
    cut
      ? said(
          '9.4',
          'The nodes are disconnected from the API server. Kubelets continue with their last known pods; their writes wait.',
        )
      : said('9.4', 'The nodes are connected to the API server again.'),
  'agent.started': () =>
    said(
      '5.8',
      'A kubelet starts with empty memory. It reads containers from the runtime and pods from their sources.',
    ),
  'agent.stopped': () =>
    said('9.4', 'The kubelet exits without writing anything; containers keep running.'),
  'machine.switched': ({ on }) =>
    on
      ? said('10', 'The machine has booted; its runtime finds every container exited.')
      : said('10', 'The machine is off: the kubelet and all containers are gone at once.'),
  'eviction.requested': ({ message, gracePeriodSeconds }) =>
    said(
      '8.7',
      ended(
        `The kubelet evicts the pod with a grace period of ${gracePeriodSeconds} s: ${message}`,
      ),
    ),
  'eviction.refused': ({ message }) =>
    said('8.7', ended(`The kubelet does not evict the pod: ${message}`)),
  'eviction.completed': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not exit within 1.5 times the grace period (at least 10 s). The eviction is considered done; termination continues.',
        )
      : said('8.7', 'The containers of the evicted pod have stopped; its object stays in the API.'),
  'node.registered': ({ created, corrected }) =>
    created
      ? said('9.1', 'The kubelet has created its Node object.')
      : said(
          '9.1',
          corrected.length === 0
            ? 'The Node object already exists, and the kubelet uses it.'
            : `The Node object already exists; the kubelet corrects its ${corrected.join(' and ')} and uses it.`,
        ),
  'node.registrationFailed': ({ message, retryMs }) =>
    said(
      '9.1',
      ended(`The node could not be registered; retrying in ${spanWords(retryMs)}: ${message}`),
    ),
  'node.statusWritten': ({ ready, changed }) =>
    said(
      '9.3',
      `The kubelet writes the status of its node, ${ready ? 'Ready' : 'not Ready'}, ${changed ? 'because it changed' : 'after five minutes without a change'}.`,
    ),
  'node.statusFailed': ({ message }) =>
    said('9.3', ended(`The status of the node could not be written: ${message}`)),
  'lease.renewed': ({ renewTime }) => said('9.4', `The kubelet renews its lease (${renewTime}).`),
  'lease.failed': ({ message }) =>
    said(
      '9.4',
      ended(
        `The lease could not be written; if this continues, the node becomes Unknown: ${message}`,
      ),
    ),
  'event.recorded': ({ type, reason, message }) =>
    said('1.8', ended(`The kubelet records the ${type} event ${reason}: ${message}`)),
}
