import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Job } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { isFinished } from './job-conditions.ts'

function hasExpiry({ metadata, spec, ...job }: Job): boolean {
  return (
    metadata.deletionTimestamp === undefined &&
    spec.ttlSecondsAfterFinished !== undefined &&
    isFinished(job)
  )
}

/** When a finished Job is to be deleted, in ms. */
function expiryOf({ spec, status }: Job): number | undefined {
  const ended = status?.conditions?.find(
    (one) => ['Complete', 'Failed'].includes(one.type) && one.status === 'True',
  )
  const finishedAt = fromTimestamp(ended?.lastTransitionTime)
  if (finishedAt === undefined) return undefined
  return finishedAt + (spec.ttlSecondsAfterFinished ?? 0) * 1000
}

/**
 * Deletes finished Jobs after `ttlSecondsAfterFinished`, their pods first. Source: pkg/controller/ttlafterfinished (v1.34).
 */
export class TtlAfterFinishedController extends WorkloadController {
  constructor(context: ControllerContext) {
    super(context, { component: 'ttl-after-finished-controller', caches: [context.jobs] })
    const onJob = (job: Job, causes: TraceCauses): void => {
      if (hasExpiry(job)) this.queue.add(objectKey(job.metadata), causes)
    }
    context.jobs.addEventHandler({ onAdd: onJob, onUpdate: onJob })
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { jobs, client } = this.context
    const cached = jobs.get(namespace, name)
    if (cached === undefined || !hasExpiry(cached) || this.#waits(cached, causes)) return undefined
    // The TTL may have changed since.
    const fresh = await client.get(addressOf('batch/v1/jobs', cached))
    if (!fresh.ok) return fresh.error.kind === 'not-found' ? undefined : fresh.error
    const job = fresh.value
    if (!hasExpiry(job) || this.#waits(job, causes)) return undefined
    const { uid, resourceVersion } = job.metadata
    const preconditions = { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) }
    const options = { preconditions, propagationPolicy: 'Foreground' } as const
    const deleted = await client.delete(addressOf('batch/v1/jobs', job), options, causes)
    return deleted.ok ? undefined : deleted.error
  }

  /** True if a Job has not expired; it is looked at again when it has. */
  #waits(job: Job, causes: TraceCauses): boolean {
    const expiry = expiryOf(job)
    if (expiry === undefined) return true
    const leftMs = expiry - this.context.clock.now()
    if (leftMs <= 0) return false
    this.queue.addAfter(objectKey(job.metadata), causes, leftMs)
    return true
  }
}
