import { assertNever } from '../../assert-never.ts'
import type { PodWorkType, TraceData } from '../trace-event.ts'
import type { EventTable, Explanation } from './event-words.ts'
import { inSection } from './event-words.ts'
import { ended, graceWords, shortId, spanWords } from './explanation-words.ts'

type Update = TraceData['worker.updated']

const transitionWords: Readonly<Record<Exclude<Update['transition'], ''>, string>> = {
  runtimePod: 'the pod is only in the runtime',
  deletionTimestamp: 'the object has a deletionTimestamp',
  terminalPhase: 'its phase is Failed or Succeeded',
  evicted: 'it is evicted',
  killed: 'it is killed, or no source has it',
}

function accepted(update: Update): string | Explanation {
  const { updateType, transition, gracePeriodSeconds } = update
  const breaksOff = update.cancels === true ? '; the running sync is canceled' : ''
  const rest = `${graceWords(gracePeriodSeconds)}${breaksOff}.`
  if (transition !== '')
    return `UpdatePod(${updateType}) requests the termination, because ${transitionWords[transition]}${rest}`
  if (gracePeriodSeconds !== null)
    return inSection(
      'termination#grace-period',
      `UpdatePod(${updateType}) updates a pod that is already terminating${rest}${repeatWords(update)}`,
    )
  return `UpdatePod(${updateType}) queues the update, in place of any pending update.${repeatWords(update)}`
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

function syncEnded(data: TraceData['worker.syncFinished']): string {
  const name = functions[data.workType]
  const span = spanWords(data.durationMs)
  switch (data.outcome) {
    case 'ok':
      return `${name} returned without an error after ${span}.`
    case 'terminal':
      return `${name} returned after ${span}; the pod has reached a terminal phase, and the worker now terminates it.`
    case 'error':
      return `${name} failed after ${span} and will be retried: ${data.message}`
    case 'cancelled':
      return `${name} was canceled after ${span}, because an update cannot wait.`
    default:
      return assertNever(data.outcome, 'outcome of a sync')
  }
}

function transitioned({ to, why }: TraceData['worker.transitioned']): string {
  switch (to) {
    case 'terminating':
      return `The pod must terminate (${why}); no later update can undo this.`
    case 'terminated':
      return `The pod is terminated (${why}): no container of it can be running.`
    case 'finished':
      return `The worker has finished (${why}): it accepts no more updates.`
    default:
      return assertNever(to, 'transition of a worker')
  }
}

function requeued({ delayMs, why }: TraceData['worker.requeued']): string | Explanation {
  const span = spanWords(delayMs)
  switch (why) {
    case 'transition':
      return 'The worker syncs again immediately, because its state has changed.'
    case 'resync':
      return `The sync succeeded; the worker syncs again in ${span}.`
    case 'network':
      return `The network is not ready; the worker retries in ${span}.`
    case 'error':
      return `The sync failed; the worker retries in ${span}.`
    case 'waiting':
      return inSection(
        'pod-workers#starting-a-sync',
        `The worker cannot start yet; it retries in ${span}.`,
      )
    default:
      return assertNever(why, 'reason of a requeue')
  }
}

function observed({ state, certainty, because }: TraceData['worker.observed']): string {
  if (state === null) return ended(`The state of the worker is not known. ${because}`)
  const how = certainty === 'seen' ? 'seen' : `inferred, ${certainty}`
  return ended(`The worker is in ${state} (${how}). ${because}`)
}

/** The pod workers. */
export const workerEvents = {
  'worker.updated': {
    section: 'pod-workers#updatepod',
    word: ({ updateType }) => updateType,
    step: ({ updateType, transition }, name) =>
      `UpdatePod ${updateType} ${name}${transition === '' ? '' : `: ${transition}`}`,
    sentence: (data) => {
      switch (data.outcome) {
        case 'pending':
          return accepted(data)
        case 'restartRequested':
          return inSection(
            'pod-workers#reuse-of-a-uid',
            `UpdatePod(${data.updateType}) reuses a UID that is still terminating: the pod starts again after this worker has finished.`,
          )
        case 'ignored':
        case 'dropped':
          return `${ended(`UpdatePod(${data.updateType}) changes nothing: ${data.message}`)}${repeatWords(data)}`
        default:
          return assertNever(data.outcome, 'outcome of an update')
      }
    },
  },
  'worker.waiting': {
    section: 'pod-workers#starting-a-sync',
    sentence: ({ blockedByUid }) =>
      `The static pod waits: its full name is still used by UID ${shortId(blockedByUid)}.`,
  },
  'worker.started': {
    section: 'pod-workers#starting-a-sync',
    sentence: ({ sinceSeenMs }) =>
      `The worker may start, ${spanWords(sinceSeenMs)} after the pod was first seen.`,
  },
  'worker.syncStarted': {
    section: 'pod-workers#sync-functions',
    sentence: ({ workType, updateType, gracePeriodSeconds }) =>
      `${functions[workType]} begins, after an update of type ${updateType}, ${purposes[workType]}${graceWords(gracePeriodSeconds)}.`,
  },
  'worker.syncFinished': { section: 'pod-workers#worker-loop', sentence: syncEnded },
  'worker.transitioned': { section: 'pod-workers#states', sentence: transitioned },
  'worker.acknowledgedTerminating': {
    section: 'pod-workers#worker-loop',
    sentence: () => 'The worker has started termination: SyncPod does not run again for it.',
  },
  'worker.requeued': { section: 'pod-workers#worker-loop', sentence: requeued },
  'worker.forgotten': {
    section: 'pod-workers#syncknownpods',
    word: 'forgotten',
    step: (_, name) => `SyncKnownPods removes ${name}`,
    sentence: ({ why }) => {
      switch (why) {
        case 'orphan':
          return 'The worker’s record is removed: no source has the UID.'
        case 'restartRequested':
          return inSection(
            'pod-workers#reuse-of-a-uid',
            'The worker’s record is removed so that the same UID can start again.',
          )
        case 'runtimePod':
          return inSection(
            'pod-workers#worker-loop',
            'The worker’s record is removed: it existed only to stop a pod without a source.',
          )
        default:
          return assertNever(why, 'reason of forgetting')
      }
    },
  },
  'worker.observed': {
    section: 'from-outside#evidence-and-certainty',
    word: ({ state }) => state ?? 'not known',
    step: ({ state }, name) => `${name} is in ${state ?? 'a state that is not known'}`,
    sentence: observed,
  },
  'log.entry': {
    section: 'from-outside#reading-its-log',
    word: ({ mark }) => mark,
    sentence: ({ text, line }) => `Line ${line} of the log: ${text}`,
  },
} satisfies Partial<EventTable>
