import { parseSchedule } from '../../../../shared/kubernetes/cron/cron-schedule.ts'
import type { CronSchedule } from '../../../../shared/kubernetes/cron/cron-schedule.ts'
import { loadTimeZone, utc, zonedTimestamp } from '../../../../shared/kubernetes/cron/time-zones.ts'
import { goQuote } from '../../../../shared/go/text.ts'
import { equalJson } from '../../../../shared/json.ts'
import { fromTimestamp, toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { CronJob, CronJobStatus, Job } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ApiError, Clock } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import { isFinished, trueCondition } from '../job/job-conditions.ts'
import { controllerOf, newControllerRef } from '../workloads/controller-ref.ts'
import { isNamespaceTerminating } from '../workloads/pod-control.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { mostRecentTime, untilNextMs } from './schedule-times.ts'

interface CronJobSyncDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
  readonly causes: TraceCauses
}

/** `syncAfterMs` undefined: nothing is due until something changes. */
interface SyncEnd {
  readonly error: Outcome
  readonly syncAfterMs?: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const done: SyncEnd = { error: undefined }

const scheduledTimestamp = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** The schedule with the CronJob’s time zone. Source: formatSchedule. */
export function zonedSchedule({ spec: { schedule, timeZone } }: CronJob): string {
  return timeZone === undefined ? schedule : `TZ=${timeZone} ${schedule}`
}

/** One sync of a CronJob. Source: pkg/controller/cronjob/cronjob_controllerv2.go sync (v1.34). */
export class CronJobSync {
  readonly #deps: CronJobSyncDeps
  readonly #jobs: readonly Job[]
  readonly #now: number
  #cronJob: CronJob
  #status: Mutable<CronJobStatus>

  constructor(deps: CronJobSyncDeps, cronJob: CronJob, jobs: readonly Job[]) {
    this.#deps = deps
    this.#cronJob = cronJob
    this.#jobs = jobs
    this.#now = deps.clock.now()
    this.#status = { ...cronJob.status }
  }

  async run(): Promise<SyncEnd> {
    await this.#removeOldJobs()
    const end = (await this.#countJobs()) ?? (await this.#schedule())
    const written = await this.#writeStatus()
    return written === undefined ? end : { error: written }
  }

  get #active(): NonNullable<CronJobStatus['active']> {
    return this.#status.active ?? []
  }

  #forget(uid: string | undefined): void {
    this.#status.active = this.#active.filter((one) => one.uid !== uid)
  }

  #isActive({ metadata }: Job): boolean {
    return this.#active.some(({ uid }) => uid === metadata.uid)
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { events, causes } = this.#deps
    void events.write('batch/v1/cronjobs', this.#cronJob, { type, reason, message }, causes)
  }

  /** Source: cleanupFinishedJobs. */
  async #removeOldJobs(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec
    await this.#removeOldest('Complete', successfulJobsHistoryLimit)
    await this.#removeOldest('Failed', failedJobsHistoryLimit)
  }

  async #removeOldest(ended: 'Complete' | 'Failed', limit: number | undefined): Promise<void> {
    if (limit === undefined) return
    const jobs = this.#jobs.filter((job) => finishedCondition(job) === ended)
    const surplus = Math.max(0, jobs.length - limit)
    for (const job of jobs.toSorted(byStartTime).slice(0, surplus)) await this.#delete(job)
  }

  /** Source: deleteJob. False if the server refused it. */
  async #delete(job: Job): Promise<boolean> {
    const { client, causes } = this.#deps
    const options = { propagationPolicy: 'Background' } as const
    const deleted = await client.delete(addressOf('batch/v1/jobs', job), options, causes)
    if (!deleted.ok) {
      this.#record('Warning', 'FailedDelete', `Deleted job: ${deleted.error.message}`)
      return false
    }
    this.#forget(job.metadata.uid)
    this.#record('Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
    return true
  }

  /** What the Jobs say about the list of active ones. A result ends the sync. */
  async #countJobs(): Promise<SyncEnd | undefined> {
    for (const job of this.#jobs) {
      const error = isFinished(job) ? this.#noteFinished(job) : await this.#noteUnknown(job)
      if (error !== undefined) return { error }
    }
    const known = new Set(this.#jobs.map(({ metadata }) => metadata.uid))
    for (const { uid, namespace, name = '' } of this.#active) {
      if (known.has(uid ?? '')) continue
      // The cache may be late.
      const found = await this.#deps.client.get({ resource: 'batch/v1/jobs', namespace, name })
      if (found.ok) continue
      if (found.error.kind !== 'not-found') return { error: found.error }
      this.#record('Normal', 'MissingJob', `Active job went missing: ${name}`)
      this.#forget(uid)
    }
    return undefined
  }

  #noteFinished(job: Job): undefined {
    const { name } = job.metadata
    if (this.#isActive(job)) {
      this.#forget(job.metadata.uid)
      const message = `Saw completed job: ${name}, condition: ${finishedCondition(job) ?? ''}`
      this.#record('Normal', 'SawCompletedJob', message)
    }
    const completed = job.status?.completionTime
    if (trueCondition(job, 'Complete') === undefined || completed === undefined) return
    const before = fromTimestamp(this.#status.lastSuccessfulTime)
    if (before === undefined || Date.parse(completed) > before)
      this.#status.lastSuccessfulTime = completed
  }

  /** A Job that runs and is not in the list: perhaps the cache is late. */
  async #noteUnknown(job: Job): Promise<Outcome> {
    if (this.#isActive(job)) return undefined
    const fresh = await this.#deps.client.get(addressOf('batch/v1/cronjobs', this.#cronJob))
    if (!fresh.ok) return fresh.error
    const isListed = (fresh.value.status?.active ?? []).some(({ uid }) => uid === job.metadata.uid)
    if (isListed) {
      this.#cronJob = fresh.value
      this.#status = { ...fresh.value.status }
      return undefined
    }
    const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`
    this.#record('Warning', 'UnexpectedJob', message)
    return undefined
  }

  #later(schedule: CronSchedule): SyncEnd {
    const cronJob = { ...this.#cronJob, status: this.#status }
    return { error: undefined, syncAfterMs: untilNextMs(cronJob, this.#now, schedule) }
  }

  /** Creates the Job of the last due time, unless something keeps it from that. Source: syncCronJob, its second half. */
  async #schedule(): Promise<SyncEnd> {
    const { metadata, spec } = this.#cronJob
    if (metadata.deletionTimestamp !== undefined) return done
    const zone = spec.timeZone === undefined ? undefined : loadTimeZone(spec.timeZone)
    if (zone?.ok === false) {
      const message = `invalid timeZone: ${goQuote(spec.timeZone ?? '')}: ${zone.error}`
      this.#record('Warning', 'UnknownTimeZone', message)
      return done
    }
    if (spec.suspend === true) return done
    const schedule = this.#parsedSchedule()
    if (schedule === undefined) return done
    const cronJob = { ...this.#cronJob, status: this.#status }
    const times = mostRecentTime(cronJob, this.#now, schedule, true)
    if (!times.ok) {
      this.#record(
        'Warning',
        'InvalidSchedule',
        `invalid schedule: ${spec.schedule} : ${times.error}`,
      )
      return done
    }
    const { recent, missed } = times.value
    if (recent === undefined) return this.#later(schedule)
    if (missed === 'many') {
      const message =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      this.#record('Warning', 'TooManyMissedTimes', message)
    }
    if (this.#isHeldBack(recent)) return this.#later(schedule)
    const error = (await this.#replaceActive()) ?? (await this.#create(recent, zone?.value ?? utc))
    return error === undefined ? this.#later(schedule) : error
  }

  #parsedSchedule(): CronSchedule | undefined {
    const parsed = parseSchedule(zonedSchedule(this.#cronJob))
    if (parsed.ok) return parsed.value
    const { schedule } = this.#cronJob.spec
    const message = `unparseable schedule: ${goQuote(schedule)} : ${parsed.error}`
    this.#record('Warning', 'UnparseableSchedule', message)
    return undefined
  }

  /**
   * Whether no Job is created for a due time: it has one, or another Job runs and forbids it. Upstream’s check of the deadline
   * (MissSchedule) is left out: a due time before the deadline is not found at all.
   */
  #isHeldBack(due: number): boolean {
    const { concurrencyPolicy } = this.#cronJob.spec
    const name = this.#jobName(due)
    const hasJob =
      this.#active.some((one) => one.name === name) ||
      fromTimestamp(this.#status.lastScheduleTime) === due
    if (hasJob) return true
    if (concurrencyPolicy !== 'Forbid' || this.#active.length === 0) return false
    const message =
      'Not starting job because prior execution is running and concurrency policy is Forbid'
    this.#record('Normal', 'JobAlreadyActive', message)
    return true
  }

  async #replaceActive(): Promise<SyncEnd | undefined> {
    if (this.#cronJob.spec.concurrencyPolicy !== 'Replace') return undefined
    for (const { namespace, name = '' } of this.#active) {
      const job = await this.#deps.client.get({ resource: 'batch/v1/jobs', namespace, name })
      if (!job.ok) {
        this.#record('Warning', 'FailedGet', `Get job: ${job.error.message}`)
        return { error: job.error }
      }
      if (!(await this.#delete(job.value))) {
        const message = `could not replace job ${namespace ?? ''}/${name}`
        return { error: { kind: 'unknown', message } }
      }
    }
    return undefined
  }

  #jobName(due: number): string {
    return `${this.#cronJob.metadata.name}-${Math.floor(due / 60_000)}`
  }

  /** A result ends the sync. */
  async #create(due: number, zone: typeof utc): Promise<SyncEnd | undefined> {
    const { client, causes } = this.#deps
    const { metadata, spec } = this.#cronJob
    const { namespace = '' } = metadata
    const name = this.#jobName(due)
    const template = spec.jobTemplate
    const { labels, annotations } = template.metadata ?? {}
    const body = {
      metadata: {
        name,
        labels: { ...labels },
        annotations: { ...annotations, [scheduledTimestamp]: zonedTimestamp(due, zone) },
        ownerReferences: [newControllerRef('batch/v1/cronjobs', this.#cronJob)],
      },
      spec: template.spec,
    }
    const created = await client.create({ resource: 'batch/v1/jobs', namespace }, body, causes)
    if (created.ok) this.#record('Normal', 'SuccessfulCreate', `Created job ${name}`)
    else if (created.error.kind !== 'already-exists') {
      if (!isNamespaceTerminating(created.error))
        this.#record('Warning', 'FailedCreate', `Error creating job: ${created.error.message}`)
      return { error: created.error }
    }
    const job = created.ok
      ? created
      : await client.get({ resource: 'batch/v1/jobs', namespace, name })
    if (!job.ok) return { error: job.error }
    // It was created before, by this controller or by another client.
    const isOther = controllerOf(job.value)?.uid !== metadata.uid || this.#isActive(job.value)
    if (!created.ok && isOther) return done
    const { uid, resourceVersion = '' } = job.value.metadata
    const reference = { kind: 'Job', namespace, name, uid, apiVersion: 'batch/v1', resourceVersion }
    this.#status.active = [...this.#active, reference]
    this.#status.lastScheduleTime = toTimestamp(due)
    return undefined
  }

  async #writeStatus(): Promise<ApiError | undefined> {
    const { active = [], ...rest } = this.#status
    const status: CronJobStatus = { ...(active.length === 0 ? {} : { active }), ...rest }
    if (equalJson(status, this.#cronJob.status ?? {})) return undefined
    const { client, causes } = this.#deps
    const address = {
      ...addressOf('batch/v1/cronjobs', this.#cronJob),
      subresource: 'status',
    } as const
    const updated = await client.update(address, { ...this.#cronJob, status }, causes)
    return updated.ok ? undefined : updated.error
  }
}

function finishedCondition(job: Job): 'Complete' | 'Failed' | undefined {
  return (['Complete', 'Failed'] as const).find((type) => trueCondition(job, type) !== undefined)
}

/** The oldest first; those that have not started last. */
function byStartTime(one: Job, other: Job): number {
  const [a, b] = [one, other].map(({ status }) => fromTimestamp(status?.startTime) ?? Infinity)
  if (a !== b) return (a ?? 0) < (b ?? 0) ? -1 : 1
  return one.metadata.name < other.metadata.name ? -1 : 1
}
