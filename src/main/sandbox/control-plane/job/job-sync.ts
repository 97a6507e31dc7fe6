import { equalJson } from '../../../../shared/json.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { fromTimestamp, toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { Job, JobStatus, WorkloadCondition } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ApiError, Clock } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import { isActive, isReady, isTerminal } from '../workloads/active-pods.ts'
import type { Expectations } from '../workloads/expectations.ts'
import type { PodControl } from '../workloads/pod-control.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { remainingMs } from './back-off-record.ts'
import type { BackOffRecord } from './back-off-record.ts'
import { IndexIntervals } from './index-intervals.ts'
import { createJobPods } from './job-pod-creation.ts'
import { jobCondition, metSuccessRule, trueCondition, withStatus } from './job-conditions.ts'
import {
  absoluteFailureCount,
  completionIndex,
  failurePolicyOf,
  finishedAt,
  indexFailureCount,
  isFailed,
  isIndexed,
  isTracked,
  replacesOnlyFailed,
  trackingFinalizer,
  validIndex,
} from './job-pods.ts'
import { podsToRemove } from './pods-to-remove.ts'

export interface JobSyncDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
  readonly pods: PodControl
  readonly causes: TraceCauses
  readonly expectations: Expectations
  /** UIDs of pods whose finalizer was removed, until the cache shows it. */
  readonly removedFinalizers: Set<string>
  readonly backOffAfter: (succeeded: readonly Pod[], failed: readonly Pod[]) => BackOffRecord
  readonly keepBackOff: (record: BackOffRecord) => void
  readonly syncAfter: (delayMs: number) => void
  readonly onFinished: () => void
}

const batchMs = 1000
const mostPerSync = 500
const mostUncounted = 500

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** One sync of a Job. Source: pkg/controller/job/job_controller.go syncJob (v1.34). */
export class JobSync {
  readonly #deps: JobSyncDeps
  readonly #pods: readonly Pod[]
  readonly #active: readonly Pod[]
  readonly #maySync: boolean
  readonly #now: number
  #job: Job
  #status: Mutable<JobStatus>
  #uncounted: { succeeded: readonly string[]; failed: readonly string[] }
  #activeCount: number
  #ready: number
  #terminating: number
  #finished: WorkloadCondition | undefined
  #succeededCount = 0
  #previousIndexes = new IndexIntervals()
  #succeededIndexes = new IndexIntervals()
  #failedIndexes: IndexIntervals | undefined
  /** By index: the failed pod that stays until its replacement has taken its failure count over. */
  #delayed: ReadonlyMap<number, Pod> = new Map()

  constructor(deps: JobSyncDeps, job: Job, pods: readonly Pod[], maySync: boolean) {
    this.#deps = deps
    this.#job = job
    this.#maySync = maySync
    this.#now = deps.clock.now()
    this.#pods = isIndexed(job)
      ? pods.toSorted((a, b) => (completionIndex(a) ?? -1) - (completionIndex(b) ?? -1))
      : pods
    this.#active = pods.filter(isActive)
    this.#activeCount = this.#active.length
    this.#ready = this.#active.filter(isReady).length
    this.#terminating = pods.filter(isTerminating).length
    this.#status = { ...job.status }
    const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {}
    this.#uncounted = { succeeded, failed }
  }

  async run(): Promise<Outcome> {
    const { spec } = this.#job
    const succeeded = this.#uncountedPods(
      'succeeded',
      ({ status }) => status?.phase === 'Succeeded',
    )
    const failed = this.#uncountedPods('failed', (pod) => isFailed(pod, this.#job))
    const counted = failed.filter((pod) => failurePolicyOf(this.#job, pod).isCounted)
    const { succeeded: before = 0, failed: failedBefore = 0 } = this.#status
    this.#succeededCount = before + succeeded.length + this.#uncounted.succeeded.length
    const failedCount = failedBefore + counted.length + this.#uncounted.failed.length
    if (spec.suspend !== true) this.#status.startTime ??= toTimestamp(this.#now)
    const backOff = this.#deps.backOffAfter(succeeded, failed)
    this.#finished = this.#settledCondition() ?? this.#limitCondition(failedCount)
    if (isIndexed(this.#job)) this.#evaluateIndexes()
    const isConditionNew = { suspended: false }
    const error =
      this.#finished === undefined
        ? await this.#manage(backOff, isConditionNew)
        : await this.#deleteActive()
    const tracked = await this.#track(backOff, isConditionNew.suspended)
    return tracked ?? error
  }

  /** Tracked pods with a valid index that are in neither list and whose finalizer is still there. */
  #uncountedPods(list: 'succeeded' | 'failed', filter: (pod: Pod) => boolean): readonly Pod[] {
    return this.#pods.filter(
      (pod) =>
        this.#isTracked(pod) &&
        !this.#uncounted[list].includes(pod.metadata.uid) &&
        (!isIndexed(this.#job) || validIndex(pod, this.#job) !== undefined) &&
        filter(pod),
    )
  }

  #isTracked(pod: Pod): boolean {
    return isTracked(pod) && !this.#deps.removedFinalizers.has(pod.metadata.uid)
  }

  #condition(type: string, reason: string, message: string): WorkloadCondition {
    return jobCondition(type, reason, message, this.#now)
  }

  /** What an earlier sync has decided, or the failure policy decides now. */
  #settledCondition(): WorkloadCondition | undefined {
    const met = trueCondition(this.#job, 'SuccessCriteriaMet')
    if (met !== undefined) return met
    const target = trueCondition(this.#job, 'FailureTarget')
    if (target !== undefined) {
      return this.#condition('Failed', target.reason ?? '', target.message ?? '')
    }
    for (const pod of this.#pods) {
      if (!isFailed(pod, this.#job)) continue
      const { jobFailure } = failurePolicyOf(this.#job, pod)
      if (jobFailure !== undefined) {
        return this.#condition('FailureTarget', 'PodFailurePolicy', jobFailure)
      }
    }
    return undefined
  }

  #limitCondition(failedCount: number): WorkloadCondition | undefined {
    const { backoffLimit = 6, activeDeadlineSeconds, suspend } = this.#job.spec
    if (failedCount > backoffLimit || this.#isPastBackOffOnFailure(backoffLimit)) {
      const message = 'Job has reached the specified backoff limit'
      return this.#condition('FailureTarget', 'BackoffLimitExceeded', message)
    }
    const startTime = fromTimestamp(this.#status.startTime)
    if (activeDeadlineSeconds === undefined || suspend === true || startTime === undefined) {
      return undefined
    }
    const leftMs = activeDeadlineSeconds * 1000 - (this.#now - startTime)
    if (leftMs <= 0) {
      const message = 'Job was active longer than specified deadline'
      return this.#condition('FailureTarget', 'DeadlineExceeded', message)
    }
    this.#deps.syncAfter(leftMs)
    return undefined
  }

  #isPastBackOffOnFailure(limit: number): boolean {
    if (this.#job.spec.template.spec.restartPolicy !== 'OnFailure') return false
    let restarts = 0
    for (const { status } of this.#pods) {
      if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
      const { initContainerStatuses = [], containerStatuses = [] } = status
      for (const one of [...initContainerStatuses, ...containerStatuses])
        restarts += one.restartCount
    }
    return limit === 0 ? restarts > 0 : restarts >= limit
  }

  #evaluateIndexes(): void {
    const { completions = 0, backoffLimitPerIndex } = this.#job.spec
    this.#previousIndexes = IndexIntervals.parse(this.#status.completedIndexes ?? '', completions)
    const succeeded = this.#pods.filter(
      (pod) => pod.status?.phase === 'Succeeded' && isTracked(pod),
    )
    this.#succeededIndexes = this.#previousIndexes.with(this.#indexesOf(succeeded))
    this.#succeededCount = this.#succeededIndexes.total
    if (backoffLimitPerIndex !== undefined) this.#evaluateFailedIndexes(backoffLimitPerIndex)
    const rule = metSuccessRule(this.#job, this.#succeededIndexes)
    if (rule !== undefined) {
      this.#finished ??= this.#condition('SuccessCriteriaMet', 'SuccessPolicy', rule)
    }
  }

  #indexesOf(pods: readonly Pod[]): readonly number[] {
    return pods.flatMap((pod) => validIndex(pod, this.#job) ?? [])
  }

  #evaluateFailedIndexes(limit: number): void {
    const { completions = 0, maxFailedIndexes } = this.#job.spec
    const before = IndexIntervals.parse(this.#status.failedIndexes ?? '', completions)
    const failed = this.#pods.filter((pod) => isTracked(pod) && this.#hasFailedIndex(pod, limit))
    const failedIndexes = before.with(this.#indexesOf(failed))
    this.#failedIndexes = failedIndexes
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    const ended = failedIndexes.total + this.#succeededIndexes.total
    if (maxFailedIndexes !== undefined && failedIndexes.total > maxFailedIndexes) {
      this.#finished ??= this.#condition('FailureTarget', 'MaxFailedIndexesExceeded', message)
    } else if (failedIndexes.total > 0 && ended >= completions) {
      this.#finished ??= this.#condition('FailureTarget', 'FailedIndexes', 'Job has failed indexes')
    }
    this.#delayed = this.#delayedPods(failedIndexes)
  }

  #hasFailedIndex(pod: Pod, limit: number): boolean {
    if (!isFailed(pod, this.#job)) return false
    const { action, isCounted } = failurePolicyOf(this.#job, pod)
    return action === 'FailIndex' || (isCounted && indexFailureCount(pod) >= limit)
  }

  #delayedPods(failedIndexes: IndexIntervals): ReadonlyMap<number, Pod> {
    const active = new Set(this.#indexesOf(this.#active))
    const delayed = new Map<number, Pod>()
    for (const pod of this.#pods) {
      const index = validIndex(pod, this.#job)
      if (index === undefined || !this.#isTracked(pod) || !isFailed(pod, this.#job)) continue
      if (active.has(index) || this.#succeededIndexes.has(index) || failedIndexes.has(index))
        continue
      const before = delayed.get(index)
      const isLater =
        before === undefined ||
        (absoluteFailureCount(before) <= absoluteFailureCount(pod) &&
          finishedAt(pod) >= finishedAt(before))
      if (isLater) delayed.set(index, pod)
    }
    return delayed
  }

  /** The Job has ended: its pods go. It is not finished before all of them are seen to go. */
  async #deleteActive(): Promise<Outcome> {
    const owner = { resource: 'batch/v1/jobs', object: this.#job } as const
    const outcomes = await Promise.all(
      this.#active.map(async (pod): Promise<Outcome> => {
        const deleted = await this.#deps.pods.delete(pod, owner, this.#deps.causes)
        return deleted.ok || deleted.error.kind === 'not-found' ? undefined : deleted.error
      }),
    )
    const errors = outcomes.filter((error) => error !== undefined)
    const deleted = this.#active.length - errors.length
    if (errors.length > 0 || !this.#maySync) this.#finished = undefined
    this.#activeCount -= deleted
    this.#terminating += deleted
    this.#ready -= this.#active.filter(isReady).length
    return errors[0]
  }

  async #manage(backOff: BackOffRecord, isConditionNew: { suspended: boolean }): Promise<Outcome> {
    const { completions, suspend } = this.#job.spec
    const isManaged = this.#maySync && this.#job.metadata.deletionTimestamp === undefined
    const error = isManaged ? await this.#manageJob(backOff) : undefined
    const isComplete =
      this.#activeCount === 0 &&
      (completions === undefined ? this.#succeededCount > 0 : this.#succeededCount >= completions)
    if (isComplete) {
      const message = 'Reached expected number of succeeded pods'
      this.#finished = this.#condition('SuccessCriteriaMet', 'CompletionsReached', message)
      return error
    }
    if (!isManaged) return error
    const condition =
      suspend === true
        ? this.#condition('Suspended', 'JobSuspended', 'Job suspended')
        : { ...this.#condition('Suspended', 'JobResumed', 'Job resumed'), status: 'False' }
    const conditions = withStatus(this.#status.conditions, condition)
    if (conditions === undefined) return error
    this.#status.conditions = conditions
    isConditionNew.suspended = true
    const { message = '' } = condition
    this.#record('Normal', suspend === true ? 'Suspended' : 'Resumed', message)
    if (suspend !== true) this.#status.startTime = toTimestamp(this.#now)
    return error
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { events, causes } = this.#deps
    void events.write('batch/v1/jobs', this.#job, { type, reason, message }, causes)
  }

  /** Source: manageJob. Deletes pods if there are too many, else creates some if there are too few. */
  async #manageJob(backOff: BackOffRecord): Promise<Outcome> {
    const { parallelism = 1, completions, suspend } = this.#job.spec
    const active = this.#active.length
    if (suspend === true)
      return await this.#deletePods(podsToRemove(this.#job, this.#active, active))
    const wanted =
      completions === undefined
        ? this.#succeededCount > 0
          ? active
          : parallelism
        : Math.max(0, Math.min(parallelism, completions - this.#succeededCount))
    const surplus = podsToRemove(this.#job, this.#active, Math.max(0, active - wanted))
    if (surplus.length > 0) return await this.#deletePods(surplus.slice(0, mostPerSync))
    const terminating = replacesOnlyFailed(this.#job) ? this.#terminating : 0
    const missing = Math.min(wanted - terminating - active, mostPerSync)
    return missing > 0 ? await this.#createPods(missing, backOff) : undefined
  }

  async #createPods(missing: number, backOff: BackOffRecord): Promise<Outcome> {
    const { clock, expectations } = this.#deps
    const isPerIndex = this.#job.spec.backoffLimitPerIndex !== undefined
    const waitMs = isPerIndex ? 0 : remainingMs(backOff, clock.now())
    if (waitMs > 0) return this.#wait(waitMs)
    let indexes: readonly (number | undefined)[] = Array.from({ length: missing }, () => undefined)
    if (isIndexed(this.#job)) {
      const pending = this.#pendingIndexes(missing)
      const ready = pending.filter((index) => this.#indexWaitMs(index) === 0)
      if (ready.length === 0 && pending.length > 0) {
        return this.#wait(Math.min(...pending.map((index) => this.#indexWaitMs(index))))
      }
      indexes = ready
    }
    const { pods, causes } = this.#deps
    const delayed = this.#delayed
    const made = await createJobPods({
      pods,
      causes,
      expectations,
      job: this.#job,
      indexes,
      delayed,
    })
    this.#activeCount += made.created
    return made.error
  }

  /** The pods of the Job count as none until the back-off is over, as upstream. */
  #wait(delayMs: number): undefined {
    this.#deps.syncAfter(Math.max(delayMs, batchMs))
    this.#activeCount = 0
    return undefined
  }

  #pendingIndexes(count: number): readonly number[] {
    const terminating = replacesOnlyFailed(this.#job) ? this.#pods.filter(isTerminating) : []
    const taken = [...this.#active, ...terminating].flatMap((pod) => completionIndex(pod) ?? [])
    const done = this.#succeededIndexes.with(taken)
    const all = this.#failedIndexes === undefined ? done : done.merge(this.#failedIndexes)
    return all.missing(count, this.#job.spec.completions ?? 0)
  }

  #indexWaitMs(index: number): number {
    const last = this.#delayed.get(index)
    if (last === undefined) return 0
    const failures = absoluteFailureCount(last) + 1
    return remainingMs({ failures, lastFailure: finishedAt(last) }, this.#deps.clock.now())
  }

  async #deletePods(pods: readonly Pod[]): Promise<Outcome> {
    const { client, causes, expectations } = this.#deps
    const key = objectKey(this.#job.metadata)
    const owner = { resource: 'batch/v1/jobs', object: this.#job } as const
    expectations.expect(
      key,
      0,
      pods.map(({ metadata }) => objectKey(metadata)),
    )
    const outcomes = await Promise.all(
      pods.map(async (pod): Promise<Outcome> => {
        const released = await removeFinalizer(client, pod, causes)
        const deleted = released ?? errorOf(await this.#deps.pods.delete(pod, owner, causes))
        if (deleted === undefined) return undefined
        expectations.deletionObserved(key, objectKey(pod.metadata))
        return deleted.kind === 'not-found' ? undefined : deleted
      }),
    )
    const errors = outcomes.filter((error) => error !== undefined)
    this.#activeCount -= pods.length - errors.length
    this.#terminating += pods.length - errors.length
    this.#ready -= pods.filter(isReady).length
    return errors[0]
  }

  /** Source: trackJobStatusAndRemoveFinalizers. The status names ended pods before they lose their finalizer. */
  async #track(backOff: BackOffRecord, isConditionNew: boolean): Promise<Outcome> {
    const isChanged =
      isConditionNew ||
      this.#activeCount !== (this.#status.active ?? 0) ||
      this.#ready !== this.#status.ready ||
      this.#terminating !== this.#status.terminating
    Object.assign(this.#status, {
      active: this.#activeCount,
      ready: this.#ready,
      terminating: this.#terminating,
    })
    const withFinalizer = new Set(
      this.#pods.filter((pod) => this.#isTracked(pod)).map(({ metadata }) => metadata.uid),
    )
    let needsFlush = this.#countReleased(withFinalizer) || isChanged
    const ended = this.#endedPods()
    needsFlush = this.#noteEnded(ended) || needsFlush
    needsFlush = this.#noteConditions() || needsFlush
    if (needsFlush) {
      const error = await this.#write()
      if (error !== undefined) return error
      this.#deps.keepBackOff(backOff)
      needsFlush = false
    }
    const failed = await this.#release(ended, withFinalizer)
    needsFlush = this.#countReleased(withFinalizer)
    if (failed !== undefined) return (needsFlush ? await this.#write() : undefined) ?? failed
    return await this.#enactFinished(needsFlush)
  }

  /** Counts the pods whose finalizer is gone. True if there were some. */
  #countReleased(withFinalizer: ReadonlySet<string>): boolean {
    const succeeded = this.#uncounted.succeeded.filter((uid) => withFinalizer.has(uid))
    const failed = this.#uncounted.failed.filter((uid) => withFinalizer.has(uid))
    const released = {
      succeeded: this.#uncounted.succeeded.length - succeeded.length,
      failed: this.#uncounted.failed.length - failed.length,
    }
    this.#status.succeeded = (this.#status.succeeded ?? 0) + released.succeeded
    this.#status.failed = (this.#status.failed ?? 0) + released.failed
    this.#uncounted = { succeeded, failed }
    return released.succeeded + released.failed > 0
  }

  #endedPods(): readonly Pod[] {
    const isOver =
      this.#job.metadata.deletionTimestamp !== undefined || this.#finished !== undefined
    const ended = this.#pods.filter((pod) => {
      if (!this.#isTracked(pod)) return false
      if (isOver || pod.status?.phase === 'Succeeded') return true
      if (!isFailed(pod, this.#job)) return false
      const index = completionIndex(pod)
      return index === undefined || this.#delayed.get(index) !== pod
    })
    return ended.slice(0, mostUncounted)
  }

  /** Adds ended pods to the lists of the status. True if the status has changed. */
  #noteEnded(ended: readonly Pod[]): boolean {
    const indexes: number[] = []
    let isChanged = false
    for (const pod of ended) {
      const { uid } = pod.metadata
      const index = validIndex(pod, this.#job)
      const isSuccess = pod.status?.phase === 'Succeeded' && !this.#uncounted.failed.includes(uid)
      if (isSuccess && isIndexed(this.#job)) {
        if (index !== undefined && !this.#previousIndexes.has(index)) indexes.push(index)
      } else if (isSuccess) {
        if (this.#uncounted.succeeded.includes(uid)) continue
        this.#uncounted.succeeded = [...this.#uncounted.succeeded, uid]
        isChanged = true
      } else if (this.#countsAsFailed(pod, index)) {
        this.#uncounted.failed = [...this.#uncounted.failed, uid]
        isChanged = true
      }
    }
    return (isIndexed(this.#job) && this.#noteIndexes(indexes)) || isChanged
  }

  #countsAsFailed(pod: Pod, index: number | undefined): boolean {
    // Of a finished Job, every pod that has not ended counts as failed.
    const isOver = this.#finished !== undefined && this.#finished.type !== 'SuccessCriteriaMet'
    if (!isFailed(pod, this.#job) && !isOver) return false
    if (this.#uncounted.failed.includes(pod.metadata.uid)) return false
    if (isIndexed(this.#job) && index === undefined) return false
    return failurePolicyOf(this.#job, pod).isCounted
  }

  #noteIndexes(indexes: readonly number[]): boolean {
    this.#succeededIndexes = this.#succeededIndexes.with(indexes)
    const completed = this.#succeededIndexes.toString()
    const failed = this.#failedIndexes?.toString()
    const isChanged =
      indexes.length > 0 ||
      completed !== (this.#status.completedIndexes ?? '') ||
      failed !== this.#status.failedIndexes
    this.#status.succeeded = this.#succeededIndexes.total
    this.#status.completedIndexes = completed
    if (failed !== undefined) this.#status.failedIndexes = failed
    return isChanged
  }

  /** Adds an interim condition, and goes on with the final one. */
  #noteConditions(): boolean {
    const finished = this.#finished
    if (finished === undefined) return false
    const { type, reason = '', message = '' } = finished
    if (type === 'FailureTarget') {
      this.#status.conditions = [...(this.#status.conditions ?? []), finished]
      this.#finished = this.#condition('Failed', reason, message)
      return true
    }
    if (type !== 'SuccessCriteriaMet') return false
    const isNew = trueCondition(this.#job, 'SuccessCriteriaMet') === undefined
    if (isNew) this.#status.conditions = [...(this.#status.conditions ?? []), finished]
    this.#finished = this.#condition('Complete', reason, message)
    return isNew
  }

  /** Removes the finalizer of ended pods. */
  async #release(ended: readonly Pod[], withFinalizer: Set<string>): Promise<Outcome> {
    const { client, causes, removedFinalizers } = this.#deps
    for (const { metadata } of ended) removedFinalizers.add(metadata.uid)
    const outcomes = await Promise.all(
      ended.map(async (pod): Promise<Outcome> => {
        const { uid } = pod.metadata
        const error = await removeFinalizer(client, pod, causes)
        if (error !== undefined) removedFinalizers.delete(uid)
        if (error !== undefined && error.kind !== 'not-found') return error
        withFinalizer.delete(uid)
        return undefined
      }),
    )
    return outcomes.find((error) => error !== undefined)
  }

  async #enactFinished(needsFlush: boolean): Promise<Outcome> {
    const finished = this.#finished
    const isUncounted = this.#uncounted.succeeded.length + this.#uncounted.failed.length > 0
    if (finished === undefined || isUncounted || this.#terminating > 0) {
      return needsFlush ? await this.#write() : undefined
    }
    this.#status.conditions =
      withStatus(this.#status.conditions, finished) ?? this.#status.conditions ?? []
    if (finished.type === 'Complete') this.#status.completionTime = toTimestamp(this.#now)
    const error = await this.#write()
    if (error !== undefined) return error
    this.#recordFinished(finished)
    this.#deps.onFinished()
    return undefined
  }

  #recordFinished({ type, reason = '', message = '' }: WorkloadCondition): void {
    if (type !== 'Complete') {
      this.#record('Warning', reason, message)
      return
    }
    const { completions } = this.#job.spec
    if (completions !== undefined && (this.#status.succeeded ?? 0) > completions) {
      const tooMany = 'Too many succeeded pods running after completion count reached'
      this.#record('Warning', 'TooManySucceededPods', tooMany)
    }
    this.#record('Normal', 'Completed', 'Job completed')
  }

  async #write(): Promise<Outcome> {
    const { client, causes } = this.#deps
    const { succeeded, failed } = this.#uncounted
    const status: JobStatus = {
      ...withoutZeros(this.#status),
      uncountedTerminatedPods: {
        ...(succeeded.length === 0 ? {} : { succeeded }),
        ...(failed.length === 0 ? {} : { failed }),
      },
    }
    if (equalJson(status, this.#job.status)) return undefined
    const address = { ...addressOf('batch/v1/jobs', this.#job), subresource: 'status' } as const
    const updated = await client.update(address, { ...this.#job, status }, causes)
    if (!updated.ok) return updated.error
    this.#job = updated.value
    return undefined
  }
}

function withoutZeros({
  active = 0,
  succeeded = 0,
  failed = 0,
  completedIndexes = '',
  ...rest
}: JobStatus): JobStatus {
  return {
    ...rest,
    ...(active === 0 ? {} : { active }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failed === 0 ? {} : { failed }),
    ...(completedIndexes === '' ? {} : { completedIndexes }),
  }
}

function isTerminating({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && !isTerminal(status?.phase)
}

function errorOf(
  result: { readonly ok: true } | { readonly ok: false; readonly error: ApiError },
): Outcome {
  return result.ok ? undefined : result.error
}

/** Removes the tracking finalizer, if the pod has it. */
export async function removeFinalizer(
  client: TransportApiClient,
  pod: Pod,
  causes: TraceCauses,
): Promise<Outcome> {
  if (!isTracked(pod)) return undefined
  const body = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } }
  const patched = await client.patch(addressOf('pods', pod), { type: 'strategic', body }, causes)
  return patched.ok ? undefined : patched.error
}
