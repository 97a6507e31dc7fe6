import type { Pod } from '../../src/shared/kubernetes/objects.ts'
import type { PodUpdateType, PodWorkType } from '../../src/shared/model/trace-event.ts'
import type { RuntimePod } from '../../src/main/kubelet/container/runtime.ts'
import { fullNameOf, isStaticPod, isTerminalPhase } from '../../src/main/kubelet/pod/identity.ts'
import type { SyncEnd } from '../../src/main/kubelet/workers/fake-pod-syncer.ts'
import type {
  PodStatusFunc,
  UpdatePodOptions,
} from '../../src/main/kubelet/workers/update-pod-options.ts'

/** An update as the model keeps it: of the kill options only what outlives the call. */
export interface ModelUpdate {
  readonly updateType: PodUpdateType
  readonly pod: Pod | undefined
  readonly mirrorPod: Pod | undefined
  readonly runningPod: RuntimePod | undefined
  readonly kill: { readonly evict: boolean; readonly override: number | undefined } | undefined
}

/** A sync that the worker should be in: it waits for the cache first, then for the syncer. */
export interface ModelWork {
  readonly kind: 'sync' | 'terminating' | 'runtimePod' | 'terminated'
  readonly update: ModelUpdate
  readonly statusFunc: PodStatusFunc | undefined
  readonly waitsFor: 'cache' | 'syncer'
}

/** The record of pod-workers#worker-record. Times in ms, undefined for not yet. */
export interface ModelRecord {
  readonly uid: string
  readonly fullName: string
  hasBell: boolean
  isSignalled: boolean
  hasContext: boolean
  isCancelled: boolean
  working: boolean
  pending: ModelUpdate | undefined
  active: ModelUpdate | undefined
  currentSync: ModelWork | undefined
  startedAt: number | undefined
  terminatingAt: number | undefined
  acknowledged: boolean
  grace: number
  terminatedAt: number | undefined
  deleted: boolean
  evicted: boolean
  finished: boolean
  restartRequested: boolean
  observedRuntime: boolean
  completions: (() => void)[]
  statusFuncs: PodStatusFunc[]
}

/** What the workers should say of the pods they know, by uid. */
export interface ModelReport {
  readonly state: PodWorkType
  readonly orphan: boolean
  readonly hasConfig: boolean
  readonly static: boolean
}

/**
 * docs/kubelet/pod-workers.md as a table of plain records without promises: given the same updates as the real workers, it predicts
 * their records and current syncs. `settle` stands for "whatever can run has run". Test code.
 */
export class WorkersModel {
  podsSynced = false
  readonly records = new Map<string, ModelRecord>()
  readonly started = new Map<string, string>()
  readonly dueAt = new Map<string, number>()
  readonly #lines = new Map<string, string[]>()
  readonly #rung: ModelRecord[] = []
  readonly #now: () => number
  readonly #cache: (uid: string) => 'dead' | 'alive' | 'error'
  readonly #isSlow: (uid: string) => boolean

  constructor(world: {
    readonly now: () => number
    readonly cache: (uid: string) => 'dead' | 'alive' | 'error'
    readonly isSlow: (uid: string) => boolean
  }) {
    this.#now = world.now
    this.#cache = world.cache
    this.#isSlow = world.isSlow
  }

  /** pod-workers#updatepod. */
  updatePod(given: UpdatePodOptions): void {
    const isRuntimePod = given.pod === undefined
    if (isRuntimePod && given.updateType !== 'kill') return
    const uid = given.pod?.metadata.uid ?? given.runningPod?.uid
    if (uid === undefined) return
    const isFirst = !this.records.has(uid)
    const record = this.records.get(uid) ?? this.#newRecord(uid, given)
    let { pod } = given
    if (isRuntimePod) {
      record.observedRuntime = true
      pod = record.pending?.pod ?? record.active?.pod
    }
    const runningPod = pod === undefined ? given.runningPod : undefined
    if (!isFirst && record.terminatingAt !== undefined && given.updateType === 'create') {
      record.restartRequested = true
      return
    }
    if (record.finished) return
    const becomes = this.#transition(record, given, pod, isRuntimePod)
    if (record.terminatedAt !== undefined && isRuntimePod) return
    const before = record.grace
    const kill = takeKill(record, given, pod)
    if (!record.hasBell) {
      record.hasBell = true
      if (pod !== undefined && isStaticPod(pod))
        this.#lines.set(record.fullName, [...this.#lineOf(record.fullName), uid])
    }
    const { updateType, mirrorPod } = given
    record.pending = { updateType, pod, mirrorPod, runningPod, kill }
    record.working = true
    this.#ring(record)
    const isOther = before !== 0 && record.grace !== before
    if ((becomes || isOther) && record.hasContext) record.isCancelled = true
  }

  /** pod-workers#syncknownpods */
  syncKnownPods(desired: ReadonlySet<string>): ReadonlyMap<string, ModelReport> {
    this.podsSynced = true
    const report = new Map<string, ModelReport>()
    for (const record of this.records.values()) {
      const orphan = !desired.has(record.uid)
      if ((orphan || record.restartRequested) && this.#removed(record, orphan)) continue
      const known = record.active ?? record.pending
      report.set(record.uid, {
        state: workType(record),
        orphan,
        hasConfig: known?.pod !== undefined,
        static: known?.pod !== undefined && isStaticPod(known.pod),
      })
    }
    return report
  }

  /** The cache has answered a worker that waited for it. */
  cacheAnswers(uid: string): void {
    const record = this.records.get(uid)
    if (record?.currentSync?.waitsFor !== 'cache') throw new Error(`${uid} waits for no status`)
    this.#hasStatus(record, record.currentSync)
  }

  /** pod-workers#worker-loop, steps 4 and 5. */
  syncEnds(uid: string, outcome: SyncEnd): void {
    const record = this.records.get(uid)
    const work = record?.currentSync
    if (record === undefined || work?.waitsFor !== 'syncer') throw new Error(`no sync of ${uid}`)
    record.currentSync = undefined
    if (outcome === 'ok' || outcome === 'terminal') this.#succeeded(record, work, outcome)
    else this.#completeWork(record, outcome === 'network' ? 1000 : 10_000)
  }

  /** Every worker that was woken takes what is pending. */
  settle(): void {
    for (let next = this.#rung.shift(); next !== undefined; next = this.#rung.shift())
      if (next.isSignalled && next.currentSync === undefined && this.records.get(next.uid) === next)
        this.#consume(next)
  }

  #newRecord(uid: string, given: UpdatePodOptions): ModelRecord {
    const { pod, runningPod } = given
    const record: ModelRecord = {
      uid,
      fullName:
        pod === undefined
          ? `${runningPod?.name ?? ''}_${runningPod?.namespace ?? ''}`
          : fullNameOf(pod),
      hasBell: false,
      isSignalled: false,
      hasContext: false,
      isCancelled: false,
      working: false,
      pending: undefined,
      active: undefined,
      currentSync: undefined,
      startedAt: undefined,
      terminatingAt: undefined,
      acknowledged: false,
      grace: 0,
      terminatedAt: undefined,
      deleted: false,
      evicted: false,
      finished: false,
      restartRequested: false,
      observedRuntime: false,
      completions: [],
      statusFuncs: [],
    }
    if (isTerminalPhase(pod?.status?.phase) && this.#cache(uid) === 'dead') {
      record.terminatingAt = this.#now()
      record.terminatedAt = this.#now()
      record.acknowledged = true
    }
    this.records.set(uid, record)
    return record
  }

  /** pod-workers#updatepod, step 6. Whether the pod became terminating by this update. */
  #transition(
    record: ModelRecord,
    given: UpdatePodOptions,
    pod: Pod | undefined,
    isRuntimePod: boolean,
  ): boolean {
    if (record.terminatingAt !== undefined) return false
    if (isRuntimePod || pod?.metadata.deletionTimestamp !== undefined) record.deleted = true
    else if (isTerminalPhase(pod?.status?.phase)) record.evicted = false
    else if (given.updateType !== 'kill') return false
    else record.evicted = given.killPodOptions?.evict === true
    record.terminatingAt = this.#now()
    return true
  }

  #ring(record: ModelRecord): void {
    record.isSignalled = true
    this.#rung.push(record)
  }

  #lineOf(fullName: string): string[] {
    return this.#lines.get(fullName) ?? []
  }

  /** pod-workers#starting-a-sync */
  #consume(record: ModelRecord): void {
    record.isSignalled = false
    const update = record.pending
    if (update === undefined) {
      record.working = false
      return
    }
    const type = workType(record)
    record.pending = undefined
    record.hasContext = true
    record.isCancelled = false
    const isOnlyStopped = update.runningPod !== undefined && type === 'terminating'
    if (record.startedAt === undefined && !isOnlyStopped && !this.#mayStart(record, update)) return
    record.active = merged(record.active, update)
    const work = { update, statusFunc: undefined, waitsFor: 'cache' } as const
    if (update.runningPod !== undefined) {
      record.acknowledged = true
      record.currentSync = { ...work, kind: 'runtimePod', waitsFor: 'syncer' }
      return
    }
    record.currentSync = { ...work, kind: type }
    if (!this.#isSlow(record.uid)) this.#hasStatus(record, record.currentSync)
  }

  #mayStart(record: ModelRecord, update: ModelUpdate): boolean {
    if (update.pod === undefined) throw new Error(`${record.uid} has nothing to start with`)
    if (isStaticPod(update.pod)) {
      if (record.terminatingAt !== undefined) {
        this.#finish(record)
        record.terminatedAt = this.#now()
        return false
      }
      if (!this.#isItsTurn(record)) {
        record.pending = update
        record.working = false
        this.dueAt.set(record.uid, this.#now() + 10_000)
        return false
      }
    }
    record.startedAt = this.#now()
    return true
  }

  #isItsTurn({ fullName, uid }: ModelRecord): boolean {
    const holder = this.started.get(fullName)
    if (holder !== undefined) return holder === uid
    const line = this.#lineOf(fullName)
    const first = line.findIndex((one) => {
      const other = this.records.get(one)
      return (
        other !== undefined && other.terminatingAt === undefined && other.terminatedAt === undefined
      )
    })
    if (first !== -1 && line[first] !== uid) {
      this.#lines.set(fullName, line.slice(first))
      return false
    }
    if (first !== -1) this.#lines.set(fullName, line.slice(first + 1))
    this.started.set(fullName, uid)
    return true
  }

  #hasStatus(record: ModelRecord, work: ModelWork): void {
    if (this.#cache(record.uid) === 'error') {
      record.currentSync = undefined
      this.#completeWork(record, 10_000)
      return
    }
    if (work.kind === 'terminating') record.acknowledged = true
    const statusFunc = work.kind === 'terminating' ? record.statusFuncs.at(-1) : undefined
    record.currentSync = { ...work, waitsFor: 'syncer', statusFunc }
  }

  #succeeded(record: ModelRecord, work: ModelWork, outcome: 'ok' | 'terminal'): void {
    if (work.kind === 'runtimePod') {
      this.#finish(record)
      this.records.delete(record.uid)
      return
    }
    if (work.kind === 'terminated') {
      this.#finish(record)
      return
    }
    if (work.kind === 'terminating') {
      record.terminatedAt = this.#now()
      for (const complete of record.completions.splice(0)) complete()
      record.statusFuncs = []
    } else if (outcome === 'terminal') {
      record.terminatingAt ??= this.#now()
      record.acknowledged = true
    } else {
      this.#completeWork(record, 60_000)
      return
    }
    this.#requeueLast(record)
    this.#completeWork(record, 0)
  }

  #requeueLast(record: ModelRecord): void {
    if (record.pending !== undefined || record.active === undefined) return
    record.pending = { ...record.active, updateType: 'sync' }
    record.working = true
    this.#ring(record)
  }

  #completeWork(record: ModelRecord, delayMs: number): void {
    this.dueAt.set(record.uid, this.#now() + delayMs)
    if (record.pending === undefined) record.working = false
    else this.#ring(record)
  }

  /** The worker is over: no signal, no name held. */
  #finish(record: ModelRecord): void {
    record.finished = true
    record.working = false
    record.hasBell = false
    if (this.started.get(record.fullName) === record.uid) this.started.delete(record.fullName)
  }

  #removed(record: ModelRecord, orphan: boolean): boolean {
    if (!record.finished) {
      if (!orphan) return false
      record.deleted = true
      if (record.startedAt !== undefined || record.observedRuntime) {
        if (record.terminatingAt === undefined) {
          record.terminatingAt = this.#now()
          const pod = record.active?.pod
          record.grace = pod === undefined ? 1 : graceOf(record.grace, pod, undefined)
        }
        this.#requeueLast(record)
        return false
      }
    }
    this.#finish(record)
    this.records.delete(record.uid)
    return true
  }
}

/** termination#grace-period, with its quirk that 0 also means none, which can let it grow. */
function graceOf(recorded: number, pod: Pod | undefined, override: number | undefined): number {
  let grace = recorded
  let overridden = false
  const deletion = pod?.metadata.deletionGracePeriodSeconds
  if (deletion !== undefined && (grace === 0 || deletion < grace)) {
    grace = deletion
    overridden = true
  }
  if (override !== undefined && (grace === 0 || override < grace)) {
    grace = override
    overridden = true
  }
  const wanted = pod?.spec.terminationGracePeriodSeconds
  if (!overridden && grace === 0 && wanted !== undefined) grace = wanted
  return grace < 1 ? 1 : grace
}

/** pod-workers#updatepod, step 7: what is left of the kill options, after their effect on the record. */
function takeKill(
  record: ModelRecord,
  given: UpdatePodOptions,
  pod: Pod | undefined,
): ModelUpdate['kill'] {
  const options = given.killPodOptions
  if (record.terminatedAt !== undefined || record.terminatingAt === undefined) {
    options?.onCompleted?.()
    return undefined
  }
  if (options?.onCompleted !== undefined) record.completions.push(options.onCompleted)
  if (options?.podStatusFunc !== undefined) record.statusFuncs.push(options.podStatusFunc)
  record.grace = graceOf(record.grace, pod, options?.gracePeriodSecondsOverride)
  return { evict: options?.evict === true, override: record.grace }
}

/** pod-workers#active-update */
function merged(active: ModelUpdate | undefined, update: ModelUpdate): ModelUpdate {
  const keepsPod = update.runningPod !== undefined && active?.pod !== undefined
  return {
    updateType: 'sync',
    pod: keepsPod ? active.pod : update.pod,
    mirrorPod: update.mirrorPod ?? active?.mirrorPod,
    runningPod: update.runningPod,
    kill: update.kill ?? active?.kill,
  }
}

/** What a worker would do next. */
function workType(record: ModelRecord): PodWorkType {
  if (record.terminatedAt !== undefined) return 'terminated'
  return record.terminatingAt === undefined ? 'sync' : 'terminating'
}
