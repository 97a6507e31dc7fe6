import { assertNever } from '../assert-never.ts'
import type { Explanation, Sentences } from './explanation-sentences.ts'
import { said } from './explanation-sentences.ts'
import { ended, graceWords, shortId, spanWords } from './explanation-words.ts'
import type { PodWorkType, TraceData } from './trace-event.ts'

type Update = TraceData['worker.updated']

const transitionWords: Readonly<Record<Exclude<Update['transition'], ''>, string>> = {
  runtimePod: 'the pod is only in the runtime',
  deletionTimestamp: 'the object has a deletionTimestamp',
  terminalPhase: 'its phase is Failed or Succeeded',
  evicted: 'it is evicted',
  killed: 'it is killed, or no source has it',
}

function accepted(update: Update): Explanation {
  const { updateType, transition, gracePeriodSeconds } = update
  const breaksOff = update.cancels === true ? '; the running sync is canceled' : ''
  if (transition !== '')
    return said(
      '4.4',
      `UpdatePod(${updateType}) requests the termination, because ${transitionWords[transition]}${graceWords(gracePeriodSeconds)}${breaksOff}.`,
    )
  if (gracePeriodSeconds !== null)
    return said(
      '4.6',
      `UpdatePod(${updateType}) updates a pod that is already terminating${graceWords(gracePeriodSeconds)}${breaksOff}.${repeatWords(update)}`,
    )
  return said(
    '4.4',
    `UpdatePod(${updateType}) queues the update, in place of any pending update.${repeatWords(update)}`,
  )
}

/** ` 58 times in a row within 57 s.` behind a sentence about updates of which a history keeps only the newest. */
function repeatWords({ repeated, repeatedForMs }: Update): string {
  return repeated === undefined
    ? ''
    : ` ${repeated} times in a row within ${spanWords(repeatedForMs ?? 0)}.`
}

const functions: Readonly<Record<PodWorkType, string>> = {
  sync: 'SyncPod',
  terminating: 'SyncTerminatingPod',
  terminated: 'SyncTerminatedPod',
}

const purposes: Readonly<Record<PodWorkType, string>> = {
  sync: 'to bring the pod to its desired state',
  terminating: 'to stop the containers of the pod',
  terminated: 'to clean up after the pod',
}

function syncEnded(data: TraceData['worker.syncFinished']): Explanation {
  const name = functions[data.workType]
  const span = spanWords(data.durationMs)
  switch (data.outcome) {
    case 'ok':
      return said('4.8', `${name} returned without an error after ${span}.`)
    case 'terminal':
      return said(
        '4.8',
        `${name} returned after ${span}; the pod has reached a terminal phase, and the worker now terminates it.`,
      )
    case 'error':
      return said('4.8', ended(`${name} failed after ${span} and will be retried: ${data.message}`))
    case 'cancelled':
      return said('4.8', `${name} was canceled after ${span}, because an update cannot wait.`)
    default:
      return assertNever(data.outcome, 'outcome of a sync')
  }
}

function transitioned({ to, why }: TraceData['worker.transitioned']): Explanation {
  switch (to) {
    case 'terminating':
      return said('4.3', `The pod must terminate (${why}); no later update can undo this.`)
    case 'terminated':
      return said('4.3', `The pod is terminated (${why}): no container of it can be running.`)
    case 'finished':
      return said('4.3', `The worker has finished (${why}): it accepts no more updates.`)
    default:
      return assertNever(to, 'transition of a worker')
  }
}

function requeued({ delayMs, why }: TraceData['worker.requeued']): Explanation {
  const span = spanWords(delayMs)
  switch (why) {
    case 'transition':
      return said('4.8', 'The worker syncs again immediately, because its state has changed.')
    case 'resync':
      return said('4.8', `The sync succeeded; the worker syncs again in ${span}.`)
    case 'network':
      return said('4.8', `The network is not ready; the worker retries in ${span}.`)
    case 'error':
      return said('4.8', `The sync failed; the worker retries in ${span}.`)
    case 'waiting':
      return said('4.5', `The worker cannot start yet; it retries in ${span}.`)
    default:
      return assertNever(why, 'reason of a requeue')
  }
}

/** The pod workers. */
export const workerSentences: Pick<
  Sentences,
  | 'worker.updated'
  | 'worker.waiting'
  | 'worker.started'
  | 'worker.syncStarted'
  | 'worker.syncFinished'
  | 'worker.transitioned'
  | 'worker.acknowledgedTerminating'
  | 'worker.requeued'
  | 'worker.forgotten'
> = {
  'worker.updated': (data) => {
    switch (data.outcome) {
      case 'pending':
        return accepted(data)
      case 'restartRequested':
        return said(
          '4.9',
          `UpdatePod(${data.updateType}) reuses a UID that is still terminating: the pod starts again after this worker has finished.`,
        )
      case 'ignored':
      case 'dropped':
        return said(
          '4.4',
          `${ended(`UpdatePod(${data.updateType}) changes nothing: ${data.message}`)}${repeatWords(data)}`,
        )
      default:
        return assertNever(data.outcome, 'outcome of an update')
    }
  },
  'worker.waiting': ({ blockedByUid }) =>
    said(
      '4.5',
      `The static pod waits: its full name is still used by UID ${shortId(blockedByUid)}.`,
    ),
  'worker.started': ({ sinceSeenMs }) =>
    said('4.5', `The worker may start, ${spanWords(sinceSeenMs)} after the pod was first seen.`),
  'worker.syncStarted': ({ workType, updateType, gracePeriodSeconds }) =>
    said(
      '4.13',
      `${functions[workType]} begins, after an update of type ${updateType}, ${purposes[workType]}${graceWords(gracePeriodSeconds)}.`,
    ),
  'worker.syncFinished': syncEnded,
  'worker.transitioned': transitioned,
  'worker.acknowledgedTerminating': () =>
    said('4.8', 'The worker has started termination: SyncPod does not run again for it.'),
  'worker.requeued': requeued,
  'worker.forgotten': ({ why }) => {
    switch (why) {
      case 'orphan':
        return said('4.10', 'The worker’s record is removed: no source has the UID.')
      case 'restartRequested':
        return said('4.9', 'The worker’s record is removed so that the same UID can start again.')
      case 'runtimePod':
        return said(
          '4.8',
          'The worker’s record is removed: it existed only to stop a pod without a source.',
        )
      default:
        return assertNever(why, 'reason of forgetting')
    }
  },
}
