import { parseSchedule } from '../../../src/shared/kubernetes/cron/cron-schedule.ts'
import { fromTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import type { CronJob, Job } from '../../../src/shared/kubernetes/workloads.ts'
import { zonedSchedule } from '../../../src/main/sandbox/control-plane/cron-job/cron-job-sync.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import type { ReportViolation } from '../invariants.ts'
import { conditionOfEnd, hasEnded } from './job-checks.ts'
import { controllerManager } from './owner-history.ts'
import type { ObjectChange, OwnerHistory } from './owner-history.ts'

const scheduledTimestamp = 'batch.kubernetes.io/cronjob-scheduled-timestamp'
/** So long after a due time its Job may not be there yet, in ms. */
const lateMs = 5000

/** When the Job was due; undefined if it was created by hand. */
function dueTime({ metadata }: Job): string | undefined {
  return metadata.annotations?.[scheduledTimestamp]
}

function dueAfter(cronJob: CronJob, ms: number): number | undefined {
  const schedule = parseSchedule(zonedSchedule(cronJob))
  return schedule.ok ? schedule.value.next(ms) : undefined
}

/** Jobs that its controller created and that still run. A Job that is being deleted counts as gone. */
function running(history: OwnerHistory, { metadata }: CronJob): readonly Job[] {
  return history
    .ownedBy('batch/v1/jobs', metadata.uid)
    .filter((job) => dueTime(job) !== undefined && !hasEnded(job))
    .filter((job) => job.metadata.deletionTimestamp === undefined)
}

/** What CronJobs create (invariant 43). */
export class CronJobChecks {
  readonly #history: OwnerHistory
  readonly #report: ReportViolation
  /** By CronJob: the due times for which it has created a Job. */
  readonly #created = new Map<string, Set<number>>()

  constructor(deps: { readonly history: OwnerHistory; readonly report: ReportViolation }) {
    this.#history = deps.history
    this.#report = deps.report
  }

  take({ resource, type, object, user }: ObjectChange): void {
    if (resource === 'batch/v1/cronjobs' && type === 'DELETED')
      this.#created.delete(object.metadata.uid)
    if (resource !== 'batch/v1/jobs' || type !== 'ADDED' || user !== controllerManager) return
    this.#onCreated(object as Job)
  }

  #onCreated(job: Job): void {
    const { uid = '' } = controllerOf(job) ?? {}
    const cronJob = this.#history.get('batch/v1/cronjobs', uid)
    if (cronJob === undefined) return
    const report = (what: string): void => {
      this.#report(43, `${cronJob.metadata.name} (${uid}) creates ${job.metadata.name} ${what}`)
    }
    const recent = this.#history.recent(cronJob)
    this.#checkTime(job, recent, report)
    if (recent.every(({ spec }) => spec.suspend === true)) report('while it is suspended')
    const isOnly = recent.every(({ spec }) => (spec.concurrencyPolicy ?? 'Allow') !== 'Allow')
    const others = running(this.#history, cronJob).filter(
      (one) => one.metadata.uid !== job.metadata.uid,
    )
    if (isOnly && others.length > 0)
      report(`while ${others.map(({ metadata }) => metadata.name).join(', ')} runs`)
  }

  #checkTime(job: Job, recent: readonly CronJob[], report: (what: string) => void): void {
    const due = fromTimestamp(dueTime(job))
    const { uid } = recent.at(-1)?.metadata ?? { uid: '' }
    if (due === undefined || !recent.some((one) => dueAfter(one, due - 1) === due)) {
      report(`for ${String(dueTime(job))}, at which it is not due`)
      return
    }
    const created = this.#created.get(uid) ?? new Set()
    if (created.has(due)) report(`for ${String(dueTime(job))} once more`)
    this.#created.set(uid, created.add(due))
  }
}

/** Invariant 44. A violation has the same sentence in every check. */
export function checkCronJob(
  settled: {
    readonly history: OwnerHistory
    readonly report: ReportViolation
    /** ms since the epoch. */
    readonly now: number
  },
  cronJob: CronJob,
): void {
  const { history, now } = settled
  const { metadata, spec, status = {} } = cronJob
  const report = (what: string): void => {
    settled.report(44, `${metadata.namespace ?? ''}/${metadata.name} (${metadata.uid}) ${what}`)
  }
  const runs = running(history, cronJob)
  const uids = (jobs: readonly { readonly uid?: string }[]): string =>
    jobs
      .map(({ uid = '' }) => uid)
      .toSorted()
      .join(' ')
  if (uids(status.active ?? []) !== uids(runs.map((job) => job.metadata)))
    report('lists other Jobs than those that run')
  for (const [end, limit] of [
    ['Complete', spec.successfulJobsHistoryLimit],
    ['Failed', spec.failedJobsHistoryLimit],
  ] as const) {
    const ended = history
      .ownedBy('batch/v1/jobs', metadata.uid)
      .filter((job) => conditionOfEnd(job) === end)
    if (limit !== undefined && ended.length > limit)
      report(`keeps more Jobs that are ${end} than its limit`)
  }
  // A due time that is missed by more than the deadline is left out, and one that another Job forbids is made up for later.
  const isHeldBack = spec.concurrencyPolicy === 'Forbid' && runs.length > 0
  if (spec.suspend === true || isHeldBack || spec.startingDeadlineSeconds !== undefined) return
  const last = fromTimestamp(status.lastScheduleTime ?? metadata.creationTimestamp) ?? 0
  const due = dueAfter(cronJob, last)
  if (due !== undefined && due < now - lateMs)
    report('has not created the Job of its last due time')
}
