import type { WorkerView } from '../../../../shared/model/worker-view.ts'

export interface LifeStep {
  readonly word: string
  /** ms on the cluster's clock; null while it is not known. */
  readonly at: number | null
  readonly isPast: boolean
  readonly tone: 'waiting' | 'sync' | 'terminating' | 'terminated'
}

/** The stations of a worker's life, in order; what lies ahead is not past. Pure. */
export function lifeSteps(worker: WorkerView): readonly LifeStep[] {
  const isStopping = worker.terminationRequested || worker.terminatingAt !== null
  const hasStopped = worker.terminatedAt !== null
  return [
    { word: 'seen', at: worker.syncedAt, isPast: worker.syncedAt !== null, tone: 'waiting' },
    { word: 'started', at: worker.startedAt, isPast: worker.startedAt !== null, tone: 'sync' },
    { word: 'terminating', at: worker.terminatingAt, isPast: isStopping, tone: 'terminating' },
    { word: 'terminated', at: worker.terminatedAt, isPast: hasStopped, tone: 'terminated' },
    { word: 'finished', at: null, isPast: worker.finished, tone: 'terminated' },
  ]
}
