import { equalJson } from '../../../../shared/json.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { Job } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { claimObjects, controllerOf, orphansOf } from '../workloads/controller-ref.ts'
import { Expectations } from '../workloads/expectations.ts'
import { PodControl } from '../workloads/pod-control.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { noFailures, recordAfter } from './back-off-record.ts'
import type { BackOffRecord } from './back-off-record.ts'
import { isFinished } from './job-conditions.ts'
import { isTracked, trackingFinalizer } from './job-pods.ts'
import { JobSync, removeFinalizer } from './job-sync.ts'
import { OrphanPods } from './orphan-pods.ts'

/** SyncJobBatchPeriod: changes of pods within it are handled together. */
const batchMs = 1000

/** Runs the pods of Jobs to their end. Source: pkg/controller/job/job_controller.go (v1.34). */
export class JobController extends WorkloadController {
  readonly #expectations: Expectations
  readonly #pods: PodControl
  readonly #orphans: OrphanPods
  /** By the key of the Job: UIDs of pods whose finalizer was removed, until the cache shows it. */
  readonly #removedFinalizers = new Map<string, Set<string>>()
  readonly #backOffs = new Map<string, BackOffRecord>()
  /** UIDs of finished Jobs, until the cache shows it. */
  readonly #finished = new Set<string>()

  constructor(context: ControllerContext) {
    const { jobs, pods, client } = context
    super(context, {
      component: 'job-controller',
      caches: [jobs, pods],
      backOff: { baseMs: 1000, maxMs: 60_000 },
    })
    this.#expectations = new Expectations(context.clock)
    this.#pods = new PodControl({ client, events: this.events })
    this.#orphans = new OrphanPods(context, {
      release: (pod, causes) => this.#releaseOrphan(pod, causes),
    })
    jobs.addEventHandler({
      onAdd: (job, causes) => {
        this.queue.add(objectKey(job.metadata), causes)
      },
      onUpdate: (job, causes, before) => {
        this.#onJobUpdated(job, before, causes)
      },
      onDelete: (job, causes) => {
        this.#onJobDeleted(job, causes)
      },
    })
    pods.addEventHandler({
      onAdd: (pod, causes) => {
        this.#onPodAdded(pod, causes)
      },
      onUpdate: (pod, causes, before) => {
        this.#onPodUpdated(pod, before, causes)
      },
      onDelete: (pod, causes) => {
        this.#onPodDeleted(pod, causes, true)
      },
    })
  }

  override stop(): void {
    super.stop()
    this.#orphans.stop()
  }

  #onJobUpdated(job: Job, before: Job, causes: TraceCauses): void {
    const key = objectKey(job.metadata)
    if (isFinished(job)) {
      this.#finished.delete(job.metadata.uid)
      this.#backOffs.delete(key)
      this.#releaseSelected(job, causes)
    } else if (job.metadata.generation === before.metadata.generation) {
      this.queue.addAfter(key, causes, batchMs)
    } else this.queue.add(key, causes)
  }

  #onJobDeleted(job: Job, causes: TraceCauses): void {
    const key = objectKey(job.metadata)
    this.#expectations.forget(key)
    this.#removedFinalizers.delete(key)
    this.#backOffs.delete(key)
    this.#finished.delete(job.metadata.uid)
    this.#releaseSelected(job, causes)
  }

  #releaseSelected({ metadata, spec }: Job, causes: TraceCauses): void {
    for (const pod of this.context.pods.list()) {
      const isSelected =
        pod.metadata.namespace === metadata.namespace &&
        isTracked(pod) &&
        selectsLabels(spec.selector, pod.metadata.labels ?? {})
      if (isSelected) this.#orphans.add(pod, causes)
    }
  }

  #jobOf(pod: Pod): Job | undefined {
    const { kind, name = '', uid } = controllerOf(pod) ?? {}
    if (kind !== 'Job') return undefined
    const job = this.context.jobs.get(pod.metadata.namespace ?? '', name)
    return job?.metadata.uid === uid ? job : undefined
  }

  #enqueueBatched(job: Job, causes: TraceCauses): void {
    this.queue.addAfter(objectKey(job.metadata), causes, batchMs)
  }

  #onPodAdded(pod: Pod, causes: TraceCauses): void {
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#onPodDeleted(pod, causes, false)
      return
    }
    if (controllerOf(pod) === undefined) {
      this.#onOrphan(pod, causes)
      return
    }
    const job = this.#jobOf(pod)
    if (job === undefined) return
    this.#expectations.creationObserved(objectKey(job.metadata))
    this.#enqueueBatched(job, causes)
  }

  #onOrphan(pod: Pod, causes: TraceCauses): void {
    if (isTracked(pod)) this.#orphans.add(pod, causes)
    for (const job of this.context.jobs.list()) {
      const isSelected =
        job.metadata.namespace === pod.metadata.namespace &&
        selectsLabels(job.spec.selector, pod.metadata.labels ?? {})
      if (isSelected) this.#enqueueBatched(job, causes)
    }
  }

  #onPodUpdated(pod: Pod, before: Pod, causes: TraceCauses): void {
    if (pod.metadata.deletionTimestamp !== undefined) {
      this.#onPodDeleted(pod, causes, false)
      return
    }
    const isControllerChanged = !equalJson(controllerOf(pod), controllerOf(before))
    for (const job of [isControllerChanged ? this.#jobOf(before) : undefined, this.#jobOf(pod)]) {
      if (job === undefined) continue
      if (!isTracked(pod)) this.#observeRelease(job, pod)
      this.#enqueueBatched(job, causes)
    }
    if (controllerOf(pod) !== undefined) return
    const isRelabeled = !equalJson(pod.metadata.labels, before.metadata.labels)
    if (isControllerChanged || isRelabeled) this.#onOrphan(pod, causes)
    else if (isTracked(pod)) this.#orphans.add(pod, causes)
  }

  #observeRelease(job: Job, pod: Pod): void {
    this.#removedFinalizers.get(objectKey(job.metadata))?.delete(pod.metadata.uid)
  }

  #onPodDeleted(pod: Pod, causes: TraceCauses, isGone: boolean): void {
    const job = this.#jobOf(pod)
    if (job === undefined || isFinished(job)) {
      const isOwn = ['Job', undefined].includes(controllerOf(pod)?.kind)
      if (isTracked(pod) && isOwn && !isGone) this.#orphans.add(pod, causes)
      return
    }
    this.#expectations.deletionObserved(objectKey(job.metadata), objectKey(pod.metadata))
    if (isGone || !isTracked(pod)) this.#observeRelease(job, pod)
    this.#enqueueBatched(job, causes)
  }

  async #releaseOrphan(pod: Pod, causes: TraceCauses): Promise<Outcome> {
    const controller = controllerOf(pod)
    const isOther =
      controller !== undefined &&
      (controller.kind !== 'Job' || controller.apiVersion !== 'batch/v1')
    const job = this.#jobOf(pod)
    if (isOther || (job !== undefined && (isManagedByOther(job) || !isFinished(job))))
      return undefined
    const error = await removeFinalizer(this.context.client, pod, causes)
    return error?.kind === 'not-found' ? undefined : error
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const key = `${namespace}/${name}`
    const job = this.context.jobs.get(namespace, name)
    if (job === undefined || isManagedByOther(job)) return undefined
    const { uid } = job.metadata
    if (isFinished(job)) {
      this.#backOffs.delete(key)
      this.#finished.delete(uid)
      return undefined
    }
    if (this.#finished.has(uid)) return undefined
    const maySync = this.#expectations.areSatisfied(key)
    const { pods, client, clock } = this.context
    const claimed = await claimObjects({
      client,
      owner: { resource: 'batch/v1/jobs', object: job },
      resource: 'pods',
      candidates: [
        ...pods.byIndex('controller', uid),
        ...pods.byIndex('controller', orphansOf(namespace)),
      ],
      matches: ({ metadata }) => selectsLabels(job.spec.selector, metadata.labels ?? {}),
      finalizer: trackingFinalizer,
      causes,
    })
    if (!claimed.ok) return claimed.error
    const removedFinalizers = this.#removedFinalizers.get(key) ?? new Set()
    this.#removedFinalizers.set(key, removedFinalizers)
    const deps = {
      client,
      clock,
      events: this.events,
      pods: this.#pods,
      causes,
      expectations: this.#expectations,
      removedFinalizers,
      backOffAfter: (succeeded: readonly Pod[], failed: readonly Pod[]) =>
        recordAfter(this.#backOffs.get(key) ?? noFailures, succeeded, failed),
      keepBackOff: (record: BackOffRecord) => this.#backOffs.set(key, record),
      syncAfter: (delayMs: number) => {
        this.queue.addAfter(key, causes, delayMs)
      },
      onFinished: () => this.#finished.add(uid),
    }
    return await new JobSync(deps, job, claimed.value, maySync).run()
  }
}

function isManagedByOther({ spec }: Job): boolean {
  return (spec.managedBy ?? 'kubernetes.io/job-controller') !== 'kubernetes.io/job-controller'
}
