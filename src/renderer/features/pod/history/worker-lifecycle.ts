import type { WorkerView } from '../../../../shared/model/worker-view.ts'

export interface LifecycleStep {
  readonly name: 'seen' | 'started' | 'terminating' | 'terminated' | 'finished'
  /** ms on the cluster's clock; null while it is unknown. */
  readonly at: number | null
  readonly isPast: boolean
  readonly tone: 'waiting' | 'sync' | 'terminating' | 'terminated'
}

/** The steps of a worker's lifecycle, in order. Pure. */
export function lifecycleSteps(worker: WorkerView): readonly LifecycleStep[] {
  const isStopping = worker.terminationRequested || worker.terminatingAt !== null
  const hasStopped = worker.terminatedAt !== null
  return [
    { name: 'seen', at: worker.syncedAt, isPast: worker.syncedAt !== null, tone: 'waiting' },
    { name: 'started', at: worker.startedAt, isPast: worker.startedAt !== null, tone: 'sync' },
    { name: 'terminating', at: worker.terminatingAt, isPast: isStopping, tone: 'terminating' },
    { name: 'terminated', at: worker.terminatedAt, isPast: hasStopped, tone: 'terminated' },
    { name: 'finished', at: null, isPast: worker.finished, tone: 'terminated' },
  ]
}
