import { parseSchedule } from '../../../../shared/kubernetes/cron/cron-schedule.ts'
import type { CronJob, Job } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { controllerOf } from '../workloads/controller-ref.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { CronJobSync, zonedSchedule } from './cron-job-sync.ts'
import { untilNextMs } from './schedule-times.ts'

/** Creates the Jobs of CronJobs when they are due. Source: pkg/controller/cronjob/cronjob_controllerv2.go (v1.34). */
export class CronJobController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { cronJobs, jobs } = context
    super(context, { component: 'cronjob-controller', caches: [jobs, cronJobs] })
    const enqueue = (cronJob: CronJob, causes: TraceCauses): void => {
      this.queue.add(objectKey(cronJob.metadata), causes)
    }
    cronJobs.addEventHandler({
      onAdd: enqueue,
      onUpdate: (cronJob, causes, before) => {
        this.#onUpdated(cronJob, before, causes)
      },
      onDelete: enqueue,
    })
    const onJob = (job: Job, causes: TraceCauses): void => {
      const owner = this.#ownerOf(job)
      if (owner !== undefined) enqueue(owner, causes)
    }
    jobs.addEventHandler({
      onAdd: onJob,
      onUpdate: (job, causes, before) => {
        if (controllerOf(before)?.uid !== controllerOf(job)?.uid) onJob(before, causes)
        onJob(job, causes)
      },
      onDelete: onJob,
    })
  }

  #ownerOf(job: Job): CronJob | undefined {
    const { kind, name = '', uid } = controllerOf(job) ?? {}
    if (kind !== 'CronJob') return undefined
    const owner = this.context.cronJobs.get(job.metadata.namespace ?? '', name)
    return owner?.metadata.uid === uid ? owner : undefined
  }

  /** Another schedule is first looked at when it is due; every other change at once. Source: updateCronJob. */
  #onUpdated(cronJob: CronJob, before: CronJob, causes: TraceCauses): void {
    const key = objectKey(cronJob.metadata)
    const { schedule, timeZone } = cronJob.spec
    if (schedule === before.spec.schedule && timeZone === before.spec.timeZone) {
      this.queue.add(key, causes)
      return
    }
    const parsed = parseSchedule(zonedSchedule(cronJob))
    if (!parsed.ok) return
    this.queue.addAfter(key, causes, untilNextMs(cronJob, this.context.clock.now(), parsed.value))
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { cronJobs, jobs, client, clock } = this.context
    const cronJob = cronJobs.get(namespace, name)
    if (cronJob === undefined) return undefined
    const own = jobs
      .list()
      .filter((job) => job.metadata.namespace === namespace && controllerOf(job)?.name === name)
    const sync = new CronJobSync({ client, clock, events: this.events, causes }, cronJob, own)
    const { error, syncAfterMs } = await sync.run()
    if (error === undefined && syncAfterMs !== undefined)
      this.queue.addAfter(`${namespace}/${name}`, causes, syncAfterMs)
    return error
  }
}
