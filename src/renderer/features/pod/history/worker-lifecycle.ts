import type { WorkerView } from '../../../../shared/model/worker-view.ts'

/** The steps of a worker's lifecycle, in order. `at`: ms on the cluster's clock; null while it is unknown. Pure. */
export function lifecycleSteps(worker: WorkerView) {
  const { finished, startedAt, syncedAt, terminatedAt, terminatingAt, terminationRequested } =
    worker
  const isTerminating = terminationRequested || terminatingAt !== null
  return [
    { name: 'seen', at: syncedAt, isPast: syncedAt !== null, tone: 'waiting' },
    { name: 'started', at: startedAt, isPast: startedAt !== null, tone: 'sync' },
    { name: 'terminating', at: terminatingAt, isPast: isTerminating, tone: 'terminating' },
    { name: 'terminated', at: terminatedAt, isPast: terminatedAt !== null, tone: 'terminated' },
    { name: 'finished', at: null, isPast: finished, tone: 'terminated' },
  ] as const
}
