import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import type { PodCache } from '../container/runtime.ts'
import type { PodFullName } from '../pod/identity.ts'
import type { CorePorts, EventRecorder, Random } from '../ports.ts'
import type { PodSyncer } from './pod-sync.ts'
import type { UpdatePodOptions } from './update-pod-options.ts'
import { workerAnswers } from './worker-answers.ts'
import type { WorkerAnswer } from './worker-answers.ts'
import { WorkerCompletion } from './worker-completion.ts'
import { PodUpdater } from './update-pod.ts'
import { WorkerLoop } from './worker-loop.ts'
import { KnownPodsSync } from './sync-known-pods.ts'
import type { PodWorkerSyncs } from './sync-known-pods.ts'
import type { WorkerRecord } from './worker-record.ts'
import { WorkerRequeue } from './worker-requeue.ts'
import { WorkerStart } from './worker-start.ts'
import { WorkerTable } from './worker-table.ts'
import { workerView } from './worker-view.ts'
import type { WorkQueue } from './work-queue.ts'

/** Whether what a pod needed may be taken away (seed: PodStateProvider). */
export interface PodStateProvider {
  readonly isPodTerminationRequested: (uid: string) => boolean
  readonly shouldPodContentBeRemoved: (uid: string) => boolean
  readonly shouldPodRuntimeBeRemoved: (uid: string) => boolean
}

/**
 * One worker per pod uid: takes updates at any time, syncs one at a time, and drives every pod through
 * sync, terminating and terminated to the end (docs/kubelet/pod-workers.md). `updatePod`, `syncKnownPods` and the
 * questions are synchronous and never block; after `stop` updates are ignored.
 */
export class PodWorkers implements PodStateProvider {
  readonly #table: WorkerTable
  readonly #knownPods: KnownPodsSync
  readonly #intake: PodUpdater
  readonly #workQueue: WorkQueue
  #isStopped = false

  constructor(
    deps: CorePorts & {
      readonly random: Random
      readonly podCache: PodCache
      readonly podSyncer: PodSyncer
      readonly workQueue: WorkQueue
      readonly recorder: EventRecorder
      /** See PodUpdater. */
      readonly allocated?: ((pod: Pod) => Pod) | undefined
    },
  ) {
    const { log } = deps
    const table = new WorkerTable(deps)
    const requeue = new WorkerRequeue(deps)
    const start = new WorkerStart({ ...deps, table, requeue })
    const completion = new WorkerCompletion({ table, log, requeue })
    const loop = new WorkerLoop({ ...deps, start, completion })
    this.#table = table
    this.#knownPods = new KnownPodsSync(table)
    this.#workQueue = deps.workQueue
    this.#intake = new PodUpdater({
      ...deps,
      table,
      startWorker: (uid, signal) => {
        loop.run(uid, signal).catch((error: unknown) => {
          log.error('a worker has broken down', { podUid: uid, error })
        })
      },
    })
  }

  /** Hands a change to the pod's worker, in the order of pod-workers#updatepod. Starts the worker if there is none. */
  readonly updatePod = (options: UpdatePodOptions): void => {
    if (!this.#isStopped) this.#intake.updatePod(options)
  }

  /**
   * Compares the workers with the desired pods: forgets finished ones that are not desired (or desired
   * again), and drives orphans to their end (pod-workers#syncknownpods). Housekeeping only. `causes` is asked for
   * when something is done.
   */
  readonly syncKnownPods = (
    desired: readonly Pod[],
    causes: () => TraceCauses = () => [],
    uids: ReadonlySet<string> = new Set(desired.map(({ metadata }) => metadata.uid)),
  ): PodWorkerSyncs => this.#knownPods.syncKnownPods(uids, causes)

  /** Ends every worker's loop after its current sync, and ignores further updates. */
  stop(): void {
    this.#isStopped = true
    for (const uid of this.#table.podUpdates.keys()) this.#table.cleanupPodUpdates(uid)
  }

  readonly isPodKnownTerminated = (uid: string): boolean =>
    this.#answer(workerAnswers.isPodKnownTerminated, uid)

  readonly couldHaveRunningContainers = (uid: string): boolean =>
    this.#answer(workerAnswers.couldHaveRunningContainers, uid)

  readonly shouldPodBeFinished = (uid: string): boolean =>
    this.#answer(workerAnswers.shouldPodBeFinished, uid)

  readonly isPodTerminationRequested = (uid: string): boolean =>
    this.#answer(workerAnswers.isPodTerminationRequested, uid)

  readonly shouldPodContainersBeTerminating = (uid: string): boolean =>
    this.#answer(workerAnswers.shouldPodContainersBeTerminating, uid)

  readonly shouldPodRuntimeBeRemoved = (uid: string): boolean =>
    this.#answer(workerAnswers.shouldPodRuntimeBeRemoved, uid)

  readonly shouldPodContentBeRemoved = (uid: string): boolean =>
    this.#answer(workerAnswers.shouldPodContentBeRemoved, uid)

  /** True while the started static pod of this name stops: its mirror is not an orphan yet (mirror-pods#orphaned-mirrors). */
  readonly isPodForMirrorPodTerminatingByFullName = (fullName: string): boolean => {
    // An invalid full name has no holder.
    const uid = this.#table.staticPodStart.startedUid(fullName as PodFullName)
    const record = uid === undefined ? undefined : this.#table.records.get(uid)
    return record !== undefined && this.#holdsNameWhileStopping(record)
  }

  /** Every uid that has a worker record, in the order of their first update. */
  readonly recordUids = (): readonly string[] => [...this.#table.records.keys()]

  /** The record as the page shows it; undefined: no worker. Status versions are null here. */
  readonly workerView = (uid: string): WorkerView | undefined => {
    const record = this.#table.records.get(uid)
    if (record === undefined) return undefined
    return workerView(record, {
      podsSynced: this.#table.podsSynced,
      nextSyncAt: this.#workQueue.dueAt(uid),
      mirrorIsGuarded: this.#holdsNameWhileStopping(record),
    })
  }

  /** The newest pod that the worker knows, which may have left the pod manager already. */
  lastPod(uid: string): Pod | undefined {
    const record = this.#table.records.get(uid)
    return record?.pendingUpdate?.pod ?? record?.activeUpdate?.pod
  }

  /** The workers' state, for tests that check invariants. Read only. */
  get table(): WorkerTable {
    return this.#table
  }

  #holdsNameWhileStopping({ fullName, uid, terminatingAt, terminatedAt }: WorkerRecord): boolean {
    const isHolder = this.#table.staticPodStart.startedUid(fullName) === uid
    return isHolder && terminatingAt !== undefined && terminatedAt === undefined
  }

  #answer(of: WorkerAnswer, uid: string): boolean {
    return of(this.#table.records.get(uid), this.#table)
  }
}
