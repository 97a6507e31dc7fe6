import type { WorkerView } from '../worker-view.ts'

/** A field of the worker record that the page shows. */
export type WorkerField = Exclude<keyof WorkerView, 'reason'>

const sentences: Readonly<Record<WorkerField, string>> = {
  state: 'The state of the worker, derived from the times below; it never goes back.',
  fullName: 'The full name; only one static pod per full name may run at a time.',
  working: 'Whether a sync is under way, or an update waits for one.',
  pendingUpdate: 'The newest update that the worker has not started; a newer one replaces it.',
  activeUpdate: 'The last update that the worker started, kept so that it can be repeated.',
  currentSync:
    'The sync in progress and its grace period; a shorter grace period applies only afterwards.',
  cancelled: 'Whether the sync was canceled because an update cannot wait.',
  syncedAt: 'When UpdatePod first received this UID.',
  startedAt:
    'When the pod was first allowed to start; a static pod waits until its full name is free.',
  blockedByUid: 'The UID that uses the full name while this static pod waits.',
  nextSyncAt:
    'When the work queue wakes the worker next: 60 to 90 s after a good sync, sooner after a failure.',
  terminationRequested: 'Whether termination was requested; this cannot be undone.',
  terminatingAt: 'When termination was requested.',
  terminatingBecause: 'The first reason for the termination; later reasons are ignored.',
  acknowledgedTerminating:
    'Whether the worker has started termination; SyncPod never runs afterwards.',
  gracePeriodSeconds:
    'Grace period in seconds, at least 1; it can only become shorter, except for a kill of a pod deleted with 0 s.',
  waitingForEnd: 'How many kills wait for the containers to stop.',
  statusFunctions: 'How many kills change the final status; only the last one counts.',
  terminatedAt: 'When SyncTerminatingPod had succeeded: no container of the pod can be running.',
  finished: 'Whether SyncTerminatedPod has succeeded; no more updates are accepted.',
  observedRuntime: 'Whether the pod was found only in the runtime, without a source.',
  knownTerminated: 'Whether its containers are known to have stopped.',
  couldHaveRunningContainers: 'Whether containers of the pod may still run.',
  shouldBeFinished: 'Whether the worker has finished.',
  containersShouldBeTerminating: 'Whether the containers are being stopped, or have stopped.',
  runtimeMayBeRemoved: 'Whether the runtime resources of the pod may be removed.',
  contentMayBeRemoved: 'Whether the dead containers and their logs may be removed.',
  mirrorIsGuarded: 'Whether the mirror is kept while its static pod terminates.',
  deleted: 'Whether the pod was deleted: it has a deletionTimestamp or is in no source.',
  evicted: 'Whether the pod was evicted; its dead containers may be removed at once.',
  restartRequested:
    'Whether the same UID was added again during termination; it starts again afterwards.',
  statusVersion: 'The cached version of the status, and the last version sent to the API server.',
  statusVersionSent: 'The last version of the status that was sent to the API server.',
}

/** One sentence that says what a field of the worker record means. */
export function fieldSentence(field: WorkerField): string {
  return sentences[field]
}

/** The answers of the workers to the rest of the kubelet, in the order of pod-workers#queries. */
export const providerAnswers = [
  'knownTerminated',
  'couldHaveRunningContainers',
  'shouldBeFinished',
  'terminationRequested',
  'containersShouldBeTerminating',
  'runtimeMayBeRemoved',
  'contentMayBeRemoved',
  'mirrorIsGuarded',
] as const

export type ProviderAnswer = (typeof providerAnswers)[number]

const consequences: Readonly<
  Record<ProviderAnswer, { readonly yes: string; readonly no: string }>
> = {
  knownTerminated: {
    yes: 'Admission no longer counts its resources and ports.',
    no: 'Admission counts its resources and ports.',
  },
  couldHaveRunningContainers: {
    yes: 'The status manager withholds Failed and Succeeded while containers may still run.',
    no: 'The status manager may send Failed or Succeeded to the API server.',
  },
  shouldBeFinished: {
    yes: 'Waiting for the pod’s termination is over.',
    no: 'The eviction manager keeps waiting for the pod’s termination.',
  },
  terminationRequested: {
    yes: 'Its Secrets and ConfigMaps are no longer fetched; an ADD of this UID starts it again afterwards.',
    no: 'It is synced periodically and keeps its Secrets and ConfigMaps.',
  },
  containersShouldBeTerminating: {
    yes: 'The volume manager no longer mounts volumes for it.',
    no: 'The volume manager mounts its volumes.',
  },
  runtimeMayBeRemoved: {
    yes: 'The volume manager may unmount its volumes, and its sandbox may be removed.',
    no: 'Its volumes stay mounted and its sandbox stays.',
  },
  contentMayBeRemoved: {
    yes: 'All its dead containers may be removed, with their logs.',
    no: 'The newest dead container of each name is kept, so that its log can be read.',
  },
  mirrorIsGuarded: {
    yes: 'Housekeeping keeps a mirror of its name, although it has no manifest.',
    no: 'Housekeeping deletes a mirror of its name if it has no manifest.',
  },
}

/** What an answer of the pod state provider lets the rest of the kubelet do. */
export function answerSentence(answer: ProviderAnswer, isYes: boolean): string {
  return isYes ? consequences[answer].yes : consequences[answer].no
}
