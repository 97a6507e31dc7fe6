import type { WorkerField } from '../../../../shared/model/explanation/explanation-fields.ts'
import type { PodWorkType } from '../../../../shared/model/trace-event.ts'
import { shortId } from '../../../../shared/model/explanation/explanation-words.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { preciseClockText } from '../../../words/time.ts'

export interface RecordLine {
  readonly field: WorkerField
  readonly label: string
  readonly value: string
  readonly isQuiet: boolean
  readonly isExact: boolean
}

function yes(field: WorkerField, label: string, value: boolean, no = 'no'): RecordLine {
  return { field, label, value: value ? 'yes' : no, isQuiet: !value, isExact: false }
}

function when(field: WorkerField, label: string, at: number | null): RecordLine {
  return at === null
    ? { field, label, value: 'not yet', isQuiet: true, isExact: false }
    : { field, label, value: preciseClockText(at), isQuiet: false, isExact: true }
}

function exact(field: WorkerField, label: string, value: string, none: string): RecordLine {
  return value === ''
    ? { field, label, value: none, isQuiet: true, isExact: false }
    : { field, label, value, isQuiet: false, isExact: true }
}

function version(worker: WorkerView): string {
  if (worker.statusVersion === null) return ''
  const sent = worker.statusVersionSent
  return `v${worker.statusVersion}, ${sent === null ? 'none sent' : `sent v${sent}`}`
}

function nextSync(worker: WorkerView): string {
  return worker.nextSyncAt === null ? '' : preciseClockText(worker.nextSyncAt)
}

function count(many: number): string {
  return many === 0 ? '' : `${many}`
}

function grace(worker: WorkerView): string {
  return worker.gracePeriodSeconds === null ? '' : `${worker.gracePeriodSeconds} s`
}

const functions: Readonly<Record<PodWorkType, string>> = {
  sync: 'SyncPod',
  terminating: 'SyncTerminatingPod',
  terminated: 'SyncTerminatedPod',
}

function inHand({ inHand: work }: WorkerView): string {
  if (work === null) return ''
  const seconds = work.gracePeriodSeconds
  const since = `${functions[work.workType]} since ${preciseClockText(work.startedAt)}`
  return seconds === null ? since : `${since}, grace ${seconds} s`
}

function remembered({ activeUpdate: active }: WorkerView): string {
  if (active === null) return ''
  const { podVersion, mirrorUid, gracePeriodSecondsOverride: seconds } = active
  return [
    podVersion === null ? '' : podVersion === '' ? 'pod' : `pod at ${podVersion}`,
    active.isRunningPod ? 'running pod' : '',
    mirrorUid === null ? '' : `mirror ${shortId(mirrorUid)}`,
    active.evict ? 'evict' : '',
    seconds === null ? '' : `grace ${seconds} s`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** The record of a worker as lines, in the order in which a pod's life fills them; its answers stand apart. Pure. */
export function recordLines(worker: WorkerView): readonly RecordLine[] {
  return [
    exact('state', 'state', worker.state, ''),
    exact('fullName', 'full name', worker.fullName, ''),
    yes('working', 'working now', worker.working, 'idle'),
    exact('pendingUpdate', 'pending update', worker.pendingUpdate ?? '', 'none'),
    exact('activeUpdate', 'active update', remembered(worker), 'none'),
    exact('inHand', 'sync running', inHand(worker), 'none'),
    yes('cancelled', 'canceled', worker.cancelled),
    when('syncedAt', 'first synced', worker.syncedAt),
    when('startedAt', 'started', worker.startedAt),
    exact('blockedByUid', 'waits for', worker.blockedByUid ?? '', 'none'),
    exact('nextSyncAt', 'next sync', nextSync(worker), 'not queued'),
    when('terminatingAt', 'terminating since', worker.terminatingAt),
    exact('terminatingBecause', 'because of', worker.terminatingBecause, 'nothing'),
    yes('acknowledgedTerminating', 'acknowledged', worker.acknowledgedTerminating, 'not yet'),
    exact('gracePeriodSeconds', 'grace period', grace(worker), 'none'),
    exact('waitingForEnd', 'pending kills', count(worker.waitingForEnd), 'none'),
    exact('statusFunctions', 'status functions', count(worker.statusFunctions), 'none'),
    when('terminatedAt', 'terminated', worker.terminatedAt),
    yes('finished', 'finished', worker.finished, 'not yet'),
    yes('deleted', 'deleted', worker.deleted),
    yes('evicted', 'evicted', worker.evicted),
    yes('restartRequested', 'restart requested', worker.restartRequested),
    yes('observedRuntime', 'seen in the runtime only', worker.observedRuntime),
    exact('statusVersion', 'status cache', version(worker), 'empty'),
  ]
}
