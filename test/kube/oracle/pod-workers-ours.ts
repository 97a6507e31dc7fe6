import { assertNever } from '../../../src/shared/assert-never.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import {
  containerStatusOf,
  runtimeStatusOf,
  sandboxOf,
} from '../../../src/main/kubelet/container/fake-pods.ts'
import type { PodRuntimeStatus } from '../../../src/main/kubelet/container/runtime.ts'
import { outcomeOf } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import type { SyncCall, SyncEnd } from '../../../src/main/kubelet/workers/fake-pod-syncer.ts'
import { fakeRunningPod, setUpWorkers } from '../../../src/main/kubelet/workers/fake-workers.ts'
import { killPodNow } from '../../../src/main/kubelet/workers/kill-pod.ts'
import type {
  KillPodOptions,
  PodStatusFunc,
  UpdatePodOptions,
} from '../../../src/main/kubelet/workers/update-pod-options.ts'
import type { WorkerRecord } from '../../../src/main/kubelet/workers/worker-record.ts'
import { fullNames, uids } from './pod-workers-operations.ts'
import type { KillOperation, Operation, RuntimeContent } from './pod-workers-operations.ts'

type Remembered = Partial<UpdatePodOptions>

/** What a fake was called with; fields that do not belong to its kind are empty. */
interface Given {
  readonly [field: string]: unknown
  readonly uid: string
  readonly kind: string
}

/** Nodescope's pod workers on fakes, with the same operations and records as nodescope_workers.go. */
export class OurWorkers {
  readonly #world = setUpWorkers()
  readonly #begin = this.#world.clock.now()
  readonly #config = new Map<string, Pod>()
  readonly #told: number[] = []
  readonly #killsNow: { readonly result: string; readonly at: number | null }[] = []
  #awaited = 0
  #given: Given[] = []
  #known: object | null = null
  #work: readonly string[] = []

  constructor() {
    const { syncer, podCache } = this.#world
    const watch = syncer.onCall
    syncer.onCall = (call) => {
      watch(call)
      this.#given.push(givenTo(call))
    }
    podCache.onAsk = (uid, time) => {
      this.#given.push({ ...nothingGiven, uid, kind: 'cache', newerThan: this.#ms(time) })
    }
  }

  /** Sentences of invariants that did not hold. */
  get broken(): readonly string[] {
    return this.#world.invariants.broken
  }

  /** Undefined: done, and no worker has run. */
  take(operation: Operation): Promise<void> | undefined {
    this.#given = []
    this.#known = null
    this.#work = []
    this.#world.recorder.take()
    switch (operation.kind) {
      case 'update':
        this.#update(operation)
        return operation.isInOneTurn ? undefined : this.#settle()
      case 'known':
        this.#known = this.#syncKnownPods(operation.uids)
        return operation.isInOneTurn ? undefined : this.#settle()
      case 'killNow':
        this.#killNow(operation.pod, operation.kill)
        return this.#settle()
      default:
        return this.#takeSettled(operation)
    }
  }

  /** What nodescope_workers.go says of the kubelet's. */
  look(): object {
    const { workers, workQueue, recorder } = this.#world
    const { records, staticPodStart } = workers.table
    const due = uids.flatMap((uid) => {
      const dueAt = workQueue.dueAt(uid)
      return dueAt === undefined ? [] : [[uid, this.#ms(dueAt)] as const]
    })
    return {
      records: Object.fromEntries([...records].map(([uid, each]) => [uid, this.#record(each)])),
      started: Object.fromEntries(staticPodStart.started),
      waiting: Object.fromEntries(staticPodStart.waitingToStart),
      due: Object.fromEntries(due),
      open: this.#open(),
      given: byUid(this.#given),
      told: this.#told.toSorted((one, other) => one - other),
      killsNow: [...this.#killsNow],
      events: recorder.events
        .map(({ subject, type, reason, message }) => {
          const uid = subject.kind === 'pod' ? subject.pod.metadata.uid : ''
          return `${uid} ${type} ${reason}: ${message}`
        })
        .toSorted(),
      known: this.#known,
      work: this.#work,
      questions: Object.fromEntries(uids.map((uid) => [uid, this.#questions(uid)])),
      mirrors: fullNames.filter((each) => workers.isPodForMirrorPodTerminatingByFullName(each)),
    }
  }

  async #takeSettled(
    operation: Exclude<Operation, { readonly kind: 'update' | 'known' | 'killNow' }>,
  ): Promise<void> {
    await this.#settle()
    const { podCache, clock } = this.#world
    switch (operation.kind) {
      case 'end':
        this.#end(operation.which, operation.outcome)
        break
      case 'answer':
        podCache.release(chosen(podCache.waiting.toSorted(), operation.which) ?? '')
        break
      case 'runtime':
        podCache.answers.set(operation.uid, answerOf(operation.uid, operation.content))
        break
      case 'slow':
        if (operation.isSlow) podCache.slow.add(operation.uid)
        else podCache.slow.delete(operation.uid)
        break
      case 'tick':
        await clock.advance(operation.afterMs)
        this.#tick()
        break
      default:
        assertNever(operation, 'operation')
    }
    await this.#settle()
  }

  #settle(): Promise<void> {
    return this.#world.settle()
  }

  #update(operation: Extract<Operation, { readonly kind: 'update' }>): void {
    const { updateType, pod, mirrorPod, runningPod, kill, startTime } = operation
    if (pod !== undefined && updateType !== 'kill') this.#config.set(pod.metadata.uid, pod)
    this.#world.workers.updatePod({
      updateType,
      ...(pod === undefined ? {} : { pod }),
      ...(mirrorPod === undefined ? {} : { mirrorPod }),
      ...(runningPod === undefined
        ? {}
        : { runningPod: { ...fakeRunningPod(runningPod.uid), ...runningPod } }),
      ...(kill === undefined ? {} : { killPodOptions: this.#killOptions(kill) }),
      ...(startTime === undefined ? {} : { startTime: this.#begin + startTime }),
      causes: [],
    })
  }

  #killOptions({ isAwaited, statusFunc, evict, override }: KillOperation): KillPodOptions {
    const index = this.#awaited
    if (isAwaited) this.#awaited++
    const onCompleted = (): void => {
      this.#told.push(index)
    }
    return {
      evict,
      ...(isAwaited ? { onCompleted } : {}),
      ...(statusFunc === '' ? {} : { podStatusFunc: labelled(statusFunc) }),
      ...(override === undefined ? {} : { gracePeriodSecondsOverride: override }),
    }
  }

  #killNow(pod: Pod, { evict, override, statusFunc }: KillOperation): void {
    const { workers, recorder, clock } = this.#world
    const index = this.#killsNow.push({ result: '', at: null }) - 1
    const kill = killPodNow({ podWorkers: workers, recorder, clock })
    void kill(pod, {
      evict,
      ...(override === undefined ? {} : { gracePeriodSecondsOverride: override }),
      ...(statusFunc === '' ? {} : { podStatusFunc: labelled(statusFunc) }),
      causes: [],
    }).then((result) => {
      const at = this.#ms(clock.now())
      this.#killsNow[index] = { result: result.ok ? 'killed' : result.error, at }
    })
  }

  #syncKnownPods(desired: readonly string[]): object {
    const pods = desired.map((uid) => ({ metadata: { uid, name: '' }, spec: { containers: [] } }))
    return Object.fromEntries(this.#world.workers.syncKnownPods(pods))
  }

  #end(which: number, outcome: SyncEnd): void {
    const call = chosen(byUid(this.#world.syncer.open), which)
    call?.finish(outcomeOf(outcome))
  }

  #tick(): void {
    const { workers, workQueue } = this.#world
    this.#work = workQueue
      .getWork()
      .map(({ uid }) => uid)
      .toSorted()
    for (const uid of this.#work) {
      const pod = this.#config.get(uid)
      if (pod !== undefined) workers.updatePod({ updateType: 'sync', pod, causes: [] })
    }
  }

  #open(): readonly object[] {
    const { syncer, podCache } = this.#world
    return byUid([
      ...podCache.waiting.map((uid) => ({ uid, kind: 'cache', isCancelled: false })),
      ...syncer.open.map(({ uid, kind, cancellation }) => ({
        uid,
        kind,
        isCancelled: cancellation.isCancelled(),
      })),
    ])
  }

  #record(record: WorkerRecord): object {
    const { pendingUpdate, activeUpdate } = record
    return {
      fullName: record.fullName,
      hasChannel: this.#world.workers.table.podUpdates.has(record.uid),
      hasContext: record.cancellation !== undefined,
      isCancelled: record.cancellation?.isCancelled() === true,
      working: record.working,
      pending: pendingUpdate === undefined ? null : this.#remembered(pendingUpdate),
      active: activeUpdate === undefined ? null : this.#remembered(activeUpdate),
      syncedAt: this.#ms(record.syncedAt),
      startedAt: this.#ms(record.startedAt),
      terminatingAt: this.#ms(record.terminatingAt),
      terminatedAt: this.#ms(record.terminatedAt),
      gracePeriod: record.gracePeriodSeconds,
      awaited: record.notifyPostTerminating.length,
      statusFuncs: record.statusPostTerminating.map(labelOf),
      startedTerminating: record.startedTerminating,
      deleted: record.deleted,
      evicted: record.evicted,
      finished: record.finished,
      restartRequested: record.restartRequested,
      observedRuntime: record.observedRuntime,
    }
  }

  #remembered(update: {
    readonly [Field in keyof Remembered]: Remembered[Field] | undefined
  }): object {
    const { updateType, pod, mirrorPod, runningPod, killPodOptions: kill, startTime } = update
    return {
      // What is remembered of taken updates has none: Go's zero value says "sync".
      updateType: updateType ?? 'sync',
      pod: versionOf(pod),
      mirrorPod: versionOf(mirrorPod),
      runningPod: runningPod?.name ?? '',
      kill:
        kill === undefined
          ? null
          : { evict: kill.evict === true, override: kill.gracePeriodSecondsOverride ?? null },
      startTime: this.#ms(startTime),
    }
  }

  #questions(uid: string): readonly boolean[] {
    const { workers } = this.#world
    return [
      workers.isPodKnownTerminated(uid),
      workers.couldHaveRunningContainers(uid),
      workers.shouldPodBeFinished(uid),
      workers.isPodTerminationRequested(uid),
      workers.shouldPodContainersBeTerminating(uid),
      workers.shouldPodRuntimeBeRemoved(uid),
      workers.shouldPodContentBeRemoved(uid),
    ]
  }

  /** ms since the workers were made; null: never. */
  #ms(time: number | undefined): number | null {
    return time === undefined || time === Number.NEGATIVE_INFINITY ? null : time - this.#begin
  }
}

const nothingGiven = {
  updateType: '',
  pod: '',
  mirrorPod: '',
  runningPod: '',
  status: '',
  grace: null,
  statusFunc: '',
  newerThan: null,
}

// The fake notes what the syncer was given, whose types are the port's (pod-sync.ts).
function givenTo({ uid, kind, work }: SyncCall): Given {
  const { updateType, pod, mirrorPod, runningPod, status, gracePeriodSeconds, podStatusFunc } =
    work as {
      readonly updateType?: string
      readonly pod?: Pod
      readonly mirrorPod?: Pod
      readonly runningPod?: { readonly name: string }
      readonly status?: PodRuntimeStatus
      readonly gracePeriodSeconds?: number
      readonly podStatusFunc?: PodStatusFunc
    }
  return {
    ...nothingGiven,
    uid,
    kind,
    ...(updateType === undefined ? {} : { updateType }),
    pod: versionOf(pod),
    mirrorPod: versionOf(mirrorPod),
    runningPod: runningPod?.name ?? '',
    status: status?.name ?? '',
    ...(gracePeriodSeconds === undefined ? {} : { grace: gracePeriodSeconds }),
    statusFunc: podStatusFunc === undefined ? '' : labelOf(podStatusFunc),
  }
}

function versionOf(pod: Pod | undefined): string {
  return pod?.metadata.resourceVersion ?? ''
}

function labelled(label: string): PodStatusFunc {
  return (status) => ({ ...status, reason: label })
}

function labelOf(statusFunc: PodStatusFunc): string {
  return statusFunc({}).reason ?? ''
}

/** Sorted by UID; entries of one UID keep their order. */
export function byUid<T extends { readonly uid: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((one, other) => (one.uid < other.uid ? -1 : Number(one.uid > other.uid)))
}

function chosen<T>(all: readonly T[], which: number): T | undefined {
  return all[which % Math.max(1, all.length)]
}

const notReady = sandboxOf({ state: 'notready' })

function answerOf(uid: string, content: RuntimeContent) {
  if (content === 'error') return err({ kind: 'failed', message: 'runtime is down' } as const)
  return ok({ ...statusWith(content), uid, name: content === 'nothing' ? '' : content })
}

function statusWith(content: Exclude<RuntimeContent, 'error'>): PodRuntimeStatus {
  switch (content) {
    case 'nothing':
      return runtimeStatusOf([], [])
    case 'readySandbox':
      return runtimeStatusOf([])
    case 'running':
      return runtimeStatusOf(
        [containerStatusOf('done', 'exited'), containerStatusOf('c', 'running')],
        [notReady],
      )
    case 'exited':
    case 'created':
    case 'unknown':
      return runtimeStatusOf([containerStatusOf('c', content)], [notReady])
  }
}
