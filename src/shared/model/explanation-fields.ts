import type { WorkerView } from './worker-view.ts'

/** A field of the worker record that the page shows. */
export type WorkerField = Exclude<keyof WorkerView, 'reason'>

const sentences: Readonly<Record<WorkerField, string>> = {
  state: 'Where the worker stands; worked out from the times below, and never going back.',
  fullName: 'The name that a static pod starts under; one UID may run under it at a time.',
  working: 'Whether a sync is under way, or an update waits for one.',
  pendingUpdate: 'The newest update that the worker has not taken up; a newer one takes its place.',
  activeUpdate:
    'What the worker remembers of the updates it took, to repeat them when its state has changed.',
  inHand:
    'The sync under way, with the grace it was begun with; a shorter one reaches the runtime only after it.',
  cancelled: 'Whether the sync was told to break off, because an update cannot wait.',
  syncedAt: 'When UpdatePod first heard of this UID.',
  startedAt: 'When the pod was first allowed to start; a static pod waits until its name is free.',
  blockedByUid: 'The UID that holds the full name, for a static pod that waits to start.',
  nextSyncAt:
    'When the work queue wakes the worker next: 60 to 90 s after a good sync, sooner after a failure.',
  terminationRequested: 'Whether the pod must stop; never taken back for this record.',
  terminatingAt: 'When the stop was requested.',
  terminatingBecause: 'The first reason for the stop; later ones change nothing.',
  acknowledgedTerminating: 'Whether the worker has taken up the stop; SyncPod never runs after it.',
  gracePeriodSeconds:
    'Seconds that the containers have to end; at least 1, and later only less, but for a kill beside a deletion with 0 s.',
  waitingForEnd: 'How many kills are told as soon as the containers have stopped.',
  statusFunctions:
    'How many kills want to change the status of the stopped pod; only the last does.',
  terminatedAt: 'When SyncTerminatingPod had succeeded: no container of the pod can be running.',
  finished: 'Whether SyncTerminatedPod has succeeded too; no update is taken any more.',
  observedRuntime:
    'Whether the runtime listed the pod when nobody had configured it; then it is stopped, never just forgotten.',
  knownTerminated: 'Whether its containers are known to have stopped.',
  couldHaveRunningContainers: 'Whether something of the pod may still be running.',
  shouldBeFinished: 'Whether nothing is left to do for the pod.',
  containersShouldBeTerminating: 'Whether the containers are being stopped, or have stopped.',
  runtimeMayBeRemoved: 'Whether nothing of the pod needs the runtime any more.',
  contentMayBeRemoved: 'Whether nobody will read what the dead containers left.',
  mirrorIsGuarded: 'Whether the mirror stays, because its static pod is still stopping.',
  deleted:
    'Whether the pod is to go for good: deletionTimestamp, orphaned, or nobody configured it.',
  evicted: 'Whether the stop began as an eviction; its dead containers may go at once.',
  restartRequested:
    'Whether the same UID came back while it was stopping; it starts anew when this is finished.',
  statusVersion:
    'The version of the status that the kubelet holds, and the last one it sent to the API server.',
  statusVersionSent: 'The last version of the status that was sent to the API server.',
}

/** One sentence that says what a field of the worker record means. */
export function fieldSentence(field: WorkerField): string {
  return sentences[field]
}

/** The questions that the rest of the kubelet asks the workers (semantics 4.12). */
export type ProviderAnswer =
  | 'knownTerminated'
  | 'couldHaveRunningContainers'
  | 'shouldBeFinished'
  | 'terminationRequested'
  | 'containersShouldBeTerminating'
  | 'runtimeMayBeRemoved'
  | 'contentMayBeRemoved'
  | 'mirrorIsGuarded'

const consequences: Readonly<
  Record<ProviderAnswer, { readonly yes: string; readonly no: string }>
> = {
  knownTerminated: {
    yes: 'It no longer counts at admission: its resources and ports are free.',
    no: 'Admission counts its resources and ports.',
  },
  couldHaveRunningContainers: {
    yes: 'The status manager holds back Failed and Succeeded, so that nobody replaces what may still run.',
    no: 'The status manager may send Failed or Succeeded to the API server.',
  },
  shouldBeFinished: {
    yes: 'Who waits for the end of the pod need not wait any longer.',
    no: 'Who waits for the end of the pod, as the eviction manager does, goes on waiting.',
  },
  terminationRequested: {
    yes: 'Secrets and config maps are no longer fetched for it; an ADD of this UID starts it anew afterwards.',
    no: 'It is synced again and again, and keeps its secrets and config maps.',
  },
  containersShouldBeTerminating: {
    yes: 'The volume manager mounts nothing for it any more.',
    no: 'The volume manager mounts what it needs.',
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
    yes: 'Housekeeping leaves a mirror of its name alone, though no manifest stands for it.',
    no: 'Housekeeping deletes a mirror of its name once no manifest stands for it.',
  },
}

/** What an answer of the pod state provider lets the rest of the kubelet do. */
export function answerSentence(answer: ProviderAnswer, isYes: boolean): string {
  return isYes ? consequences[answer].yes : consequences[answer].no
}
