import type { WorkerView } from '../../../shared/model/worker-view.ts'
import { preciseClockText } from '../../words/time.ts'

export interface RecordLine {
  readonly label: string
  readonly value: string
  readonly isQuiet: boolean
  readonly isExact: boolean
}

function yes(label: string, value: boolean, no = 'no'): RecordLine {
  return { label, value: value ? 'yes' : no, isQuiet: !value, isExact: false }
}

function when(label: string, at: number | null): RecordLine {
  return at === null
    ? { label, value: 'not yet', isQuiet: true, isExact: false }
    : { label, value: preciseClockText(at), isQuiet: false, isExact: true }
}

function exact(label: string, value: string, none: string): RecordLine {
  return value === ''
    ? { label, value: none, isQuiet: true, isExact: false }
    : { label, value, isQuiet: false, isExact: true }
}

function version(worker: WorkerView): string {
  if (worker.statusVersion === null) return ''
  const sent = worker.statusVersionSent
  return `v${worker.statusVersion}, ${sent === null ? 'none sent' : `sent v${sent}`}`
}

/** The whole record of a worker as lines, in the order in which a pod's life fills them. Pure. */
export function recordLines(worker: WorkerView): readonly RecordLine[] {
  return [
    exact('state', worker.state, ''),
    yes('working now', worker.working, 'idle'),
    exact('update that waits', worker.pendingUpdate ?? '', 'none'),
    when('first synced', worker.syncedAt),
    when('started', worker.startedAt),
    exact(
      'next sync',
      worker.nextSyncAt === null ? '' : preciseClockText(worker.nextSyncAt),
      'not queued',
    ),
    yes('termination requested', worker.terminationRequested),
    when('terminating since', worker.terminatingAt),
    exact('because of', worker.terminatingBecause, 'nothing'),
    yes('acknowledged', worker.acknowledgedTerminating, 'not yet'),
    exact(
      'grace in use',
      worker.gracePeriodSeconds === null ? '' : `${worker.gracePeriodSeconds} s`,
      'none',
    ),
    when('terminated', worker.terminatedAt),
    yes('finished', worker.finished, 'not yet'),
    yes('could have running containers', worker.couldHaveRunningContainers),
    yes('runtime may be removed', worker.runtimeMayBeRemoved, 'not yet'),
    yes('content may be removed', worker.contentMayBeRemoved, 'not yet'),
    yes('deleted', worker.deleted),
    yes('evicted', worker.evicted),
    yes('restart requested', worker.restartRequested),
    exact('status cache', version(worker), 'empty'),
  ]
}
