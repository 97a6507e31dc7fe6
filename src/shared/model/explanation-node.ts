import type { Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, spanWords } from './explanation-words.ts'

/** Eviction, the node, and events. */
export const nodeSentences: Pick<
  Sentences,
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
  'node.registered': ({ created }) =>
    created
      ? said('9.1', 'The kubelet has created its Node object.')
      : said('9.1', 'The Node object was there already, and the kubelet goes on with it.'),
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
      ended(`The lease could not be renewed; if that lasts, the node becomes Unknown: ${message}`),
    ),
  'event.recorded': ({ type, reason, message }) =>
    said('1.8', ended(`The kubelet records the ${type} event ${reason}: ${message}`)),
}
