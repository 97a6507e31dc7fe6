import type { Anchor } from '../../../../shared/handbook/anchors.ts'
import { shortId } from '../../../../shared/model/explanation/explanation-words.ts'
import type { PodWorkType } from '../../../../shared/model/trace-event.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { text } from '../../../text/text.ts'
import { preciseClockText } from '../../../words/time.ts'

const words = text.pod.record
const { no, none, notYet, seconds, yes } = text.common

export interface RecordLine {
  readonly field: keyof typeof words.labels
  readonly value: string
  readonly isQuiet: boolean
  readonly isExact: boolean
}

/** The sections of the handbook about single fields. */
export const fieldSections: Readonly<Partial<Record<RecordLine['field'], Anchor>>> = {
  state: 'pod-workers#states',
  pendingUpdate: 'pod-workers#updatepod',
  activeUpdate: 'pod-workers#active-update',
  currentSync: 'pod-workers#sync-functions',
  cancelled: 'termination#cancellation',
  blockedByUid: 'pod-workers#static-pods-of-one-name',
  terminatingBecause: 'termination#ways-to-stop-a-pod',
  gracePeriodSeconds: 'termination#grace-period',
  waitingForEnd: 'termination#killpodnow',
  restartRequested: 'pod-workers#reuse-of-a-uid',
}

/** `empty` replaces an empty value. */
function line(field: RecordLine['field'], value: string, empty: string): RecordLine {
  const isQuiet = value === ''
  return { field, value: isQuiet ? empty : value, isQuiet, isExact: !isQuiet }
}

function flag(field: RecordLine['field'], value: boolean, whenFalse = no): RecordLine {
  return { field, value: value ? yes : whenFalse, isQuiet: !value, isExact: false }
}

function timeText(at: number | null): string {
  return at === null ? '' : preciseClockText(at)
}

function countText(count: number): string {
  return count === 0 ? '' : `${count}`
}

const syncFunctions: Readonly<Record<PodWorkType, string>> = {
  sync: 'SyncPod',
  terminating: 'SyncTerminatingPod',
  terminated: 'SyncTerminatedPod',
}

function listText(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

function graceText(graceSeconds: number | null): string {
  return graceSeconds === null ? '' : words.grace(graceSeconds)
}

/** The sync in progress. */
function syncText({ currentSync: sync }: WorkerView): string {
  if (sync === null) return ''
  const since = words.since(syncFunctions[sync.workType], preciseClockText(sync.startedAt))
  return listText([since, graceText(sync.gracePeriodSeconds)])
}

function activeUpdateText({ activeUpdate: active }: WorkerView): string {
  if (active === null) return ''
  const { podVersion, mirrorUid } = active
  return listText([
    podVersion === null ? '' : words.pod(podVersion),
    active.isRunningPod ? words.runningPod : '',
    mirrorUid === null ? '' : words.mirror(shortId(mirrorUid)),
    active.evict ? words.evict : '',
    graceText(active.gracePeriodSecondsOverride),
  ])
}

/** The record of a worker as lines, in the order in which a pod's lifecycle fills them; without its answers. Pure. */
export function recordLines(worker: WorkerView): readonly RecordLine[] {
  const { gracePeriodSeconds: grace, statusVersion: version } = worker
  const status = version === null ? '' : words.version(version, worker.statusVersionSent)
  return [
    line('state', worker.state, ''),
    line('fullName', worker.fullName, ''),
    flag('working', worker.working, words.idle),
    line('pendingUpdate', worker.pendingUpdate ?? '', none),
    line('activeUpdate', activeUpdateText(worker), none),
    line('currentSync', syncText(worker), none),
    flag('cancelled', worker.cancelled),
    line('syncedAt', timeText(worker.syncedAt), notYet),
    line('startedAt', timeText(worker.startedAt), notYet),
    line('blockedByUid', worker.blockedByUid ?? '', none),
    line('nextSyncAt', timeText(worker.nextSyncAt), words.notQueued),
    line('terminatingAt', timeText(worker.terminatingAt), notYet),
    line('terminatingBecause', worker.terminatingBecause, words.nothing),
    flag('acknowledgedTerminating', worker.acknowledgedTerminating, notYet),
    line('gracePeriodSeconds', grace === null ? '' : seconds(grace), none),
    line('waitingForEnd', countText(worker.waitingForEnd), none),
    line('statusFunctions', countText(worker.statusFunctions), none),
    line('terminatedAt', timeText(worker.terminatedAt), notYet),
    flag('finished', worker.finished, notYet),
    flag('deleted', worker.deleted),
    flag('evicted', worker.evicted),
    flag('restartRequested', worker.restartRequested),
    flag('observedRuntime', worker.observedRuntime),
    line('statusVersion', status, words.empty),
  ]
}
