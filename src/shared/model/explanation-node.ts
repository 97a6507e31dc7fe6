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
  powerOff: ['cut the power of this node', '10'],
  boot: ['boot this node', '10'],
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
    return said(section, `Somebody asks at the dashboard to ${words}.`)
  },
  'node.commandRefused': ({ act, message }) => {
    const [words, section] = commandWords[act]
    return said(section, ended(`It is refused to ${words}: ${message}`))
  },
  'cluster.linkSwitched': ({ cut }) =>
    cut
      ? said(
          '9.4',
          'The way from the nodes to the API server is cut: kubelets go on with what they know, and what they have to tell waits.',
        )
      : said('9.4', 'The way from the nodes to the API server is there again.'),
  'agent.started': () =>
    said(
      '5.8',
      'A kubelet starts with nothing in memory: it finds containers in the runtime and pods at their sources.',
    ),
  'agent.stopped': () =>
    said(
      '9.4',
      'The kubelet ends and writes nothing on its way out; containers run on without it.',
    ),
  'machine.switched': ({ on }) =>
    on
      ? said('10', 'The machine is up again: its runtime finds every container ended.')
      : said('10', 'The machine is off: kubelet and containers are gone at once.'),
  'eviction.requested': ({ message, gracePeriodSeconds }) =>
    said(
      '8.7',
      ended(`The kubelet evicts the pod with ${gracePeriodSeconds} s of grace: ${message}`),
    ),
  'eviction.refused': ({ message }) =>
    said('8.7', ended(`The kubelet does not evict the pod: ${message}`)),
  'eviction.completed': ({ timedOut }) =>
    timedOut
      ? said(
          '4.11',
          'The containers did not end within one and a half times the grace (10 s at least); the eviction counts as done, and the stopping goes on.',
        )
      : said('8.7', 'The containers of the evicted pod have stopped; its object stays in the API.'),
  'node.registered': ({ created, corrected }) =>
    created
      ? said('9.1', 'The kubelet has created its Node object.')
      : said(
          '9.1',
          corrected.length === 0
            ? 'The Node object was there already, and the kubelet goes on with it.'
            : `The Node object was there already; the kubelet puts its ${corrected.join(' and ')} right and goes on with it.`,
        ),
  'node.registrationFailed': ({ message, retryMs }) =>
    said(
      '9.1',
      ended(
        `The node could not be registered, and is tried again in ${spanWords(retryMs)}: ${message}`,
      ),
    ),
  'node.statusWritten': ({ ready, changed }) =>
    said(
      '9.3',
      `The kubelet writes the status of its node, ${ready ? 'Ready' : 'not Ready'}, ${changed ? 'because it has changed' : 'because five minutes are over'}.`,
    ),
  'node.statusFailed': ({ message }) =>
    said('9.3', ended(`The status of the node could not be written: ${message}`)),
  'lease.renewed': ({ renewTime }) =>
    said('9.4', `The kubelet renews its lease (${renewTime}): the node counts as alive.`),
  'lease.failed': ({ message }) =>
    said(
      '9.4',
      ended(`The lease could not be written; if that lasts, the node becomes Unknown: ${message}`),
    ),
  'event.recorded': ({ type, reason, message }) =>
    said('1.8', ended(`The kubelet records the ${type} event ${reason}: ${message}`)),
}
