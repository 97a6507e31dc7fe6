import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertNever } from '../../../shared/assert-never.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodUpdateType } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import { containerStatusOf, runtimeStatusOf, sandboxOf } from '../container/fake-pods.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../pod/fake-pod.ts'
import { outcomeOf } from './fake-pod-syncer.ts'
import type { SyncCall, SyncEnd } from './fake-pod-syncer.ts'
import { fakeRunningPod, setUpWorkers } from './fake-workers.ts'
import { killPodNow } from './kill-pod.ts'
import type { KillPodOptions, UpdatePodOptions } from './update-pod-options.ts'
import { answersBy, answersIn, heldBy, heldIn } from '../../../../test/models/workers-comparison.ts'
import { WorkersModel } from '../../../../test/models/workers-model.ts'

/** A failure prints the seed and the path to it; more runs look further. */
const parameters = { seed: 20_260_101, numRuns: 600 }

const uids = ['u1', 'u2', 'u3', 'u4']
const names = ['web', 'db']
const fullNames = names.map((name) => `${name}_default`)

interface PodShape {
  readonly uid: string
  readonly name: string
  readonly isStatic: boolean
  readonly phase: 'none' | 'Running' | 'Succeeded' | 'Failed'
  readonly isDeleted: boolean
  readonly deletionGrace: number | undefined
  readonly specGrace: number | undefined
}

interface KillShape {
  readonly isAwaited: boolean
  readonly hasStatusFunc: boolean
  readonly evict: boolean | undefined
  readonly override: number | undefined
}

type Operation =
  | {
      readonly kind: 'update'
      readonly updateType: PodUpdateType
      readonly who: 'pod' | 'running' | 'both'
      readonly pod: PodShape
      readonly hasMirror: boolean
      readonly kill: KillShape | undefined
      /** The workers do not run before the next operation. */
      readonly isInOneTurn: boolean
    }
  | { readonly kind: 'killNow'; readonly pod: PodShape; readonly kill: KillShape }
  | { readonly kind: 'known'; readonly uids: readonly string[]; readonly isInOneTurn: boolean }
  | { readonly kind: 'end'; readonly which: number; readonly outcome: SyncEnd }
  | { readonly kind: 'runtime'; readonly uid: string; readonly content: RuntimeContent }
  | { readonly kind: 'slow'; readonly uid: string; readonly isSlow: boolean }
  | { readonly kind: 'answer'; readonly which: number }
  | { readonly kind: 'tick'; readonly afterMs: number }

type RuntimeContent = 'nothing' | 'exited' | 'running' | 'readySandbox' | 'error'

const uid = fc.constantFrom(...uids)
const seconds = fc.constantFrom(undefined, 0, 1, 5, 10, 30, 60)
/** Rare things need not be seldom, only seldom enough that the common ones come to their end. */
const seldom = (weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })

const podShape: fc.Arbitrary<PodShape> = fc.record({
  uid,
  name: fc.constantFrom(...names),
  isStatic: fc.boolean(),
  phase: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('none' as const, 'Running' as const) },
    { weight: 1, arbitrary: fc.constantFrom('Succeeded' as const, 'Failed' as const) },
  ),
  isDeleted: seldom(8),
  deletionGrace: seconds,
  specGrace: seconds,
})

const killShape: fc.Arbitrary<KillShape> = fc.record({
  isAwaited: fc.boolean(),
  hasStatusFunc: fc.boolean(),
  evict: fc.constantFrom(undefined, false, true),
  override: seconds,
})

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      updateType: fc.constantFrom('create' as const, 'create', 'update', 'sync', 'kill'),
      who: fc.constantFrom('pod' as const, 'pod', 'pod', 'pod', 'running', 'both'),
      pod: podShape,
      hasMirror: fc.boolean(),
      kill: fc.option(killShape, { nil: undefined }),
      isInOneTurn: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('killNow' as const), pod: podShape, kill: killShape }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('known' as const),
      uids: fc.subarray(uids),
      isInOneTurn: fc.boolean(),
    }),
  },
  {
    weight: 35,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(7),
      outcome: fc.constantFrom<SyncEnd[]>(
        ...(['ok', 'ok', 'ok', 'ok', 'terminal', 'error', 'network'] as const),
        ...(['cancelled', 'wrapped'] as const),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('runtime' as const),
      uid,
      content: fc.constantFrom<RuntimeContent[]>(
        'nothing',
        'exited',
        'running',
        'readySandbox',
        'error',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('slow' as const), uid, isSlow: fc.boolean() }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), which: fc.nat(7) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      afterMs: fc.constantFrom(0, 1, 1000, 10_000, 61_000),
    }),
  },
)

const operations = fc.array(operation, { maxLength: 60, size: 'max' })

function podFrom(shape: PodShape): Pod {
  const { phase, isDeleted, deletionGrace, specGrace } = shape
  const pod = (shape.isStatic ? fakeStaticPod : fakePod)({
    uid: shape.uid,
    name: shape.name,
    ...(phase === 'none' ? {} : { status: { phase } }),
    metadata: {
      ...(isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      ...(isDeleted && deletionGrace !== undefined
        ? { deletionGracePeriodSeconds: deletionGrace }
        : {}),
    },
  })
  const { terminationGracePeriodSeconds: _, ...spec } = pod.spec
  return {
    ...pod,
    spec: {
      ...spec,
      ...(specGrace === undefined ? {} : { terminationGracePeriodSeconds: specGrace }),
    },
  }
}

/** A kill that waits: how often it was notified, by the workers and by the model. */
interface Promised {
  recorded: number
  due: number
}

/** The real workers and the model side by side; every operation goes to both. */
class Bench {
  readonly world = setUpWorkers()
  readonly model: WorkersModel
  readonly #contents = new Map<string, RuntimeContent>()
  readonly #config = new Map<string, Pod>()
  readonly #promised: Promised[] = []
  readonly #uids = new Map<string, ReadonlySet<string>>()
  readonly #killsNow: { readonly expected: () => boolean; readonly results: boolean[] }[] = []
  /** Calls of the syncer that were compared with the model. */
  #compared = 0

  constructor() {
    const { clock, podCache } = this.world
    this.model = new WorkersModel({
      now: clock.now,
      cache: (one) => {
        const content = this.#contents.get(one) ?? 'nothing'
        if (content === 'error') return 'error'
        return content === 'running' || content === 'readySandbox' ? 'alive' : 'dead'
      },
      isSlow: (one) => podCache.slow.has(one),
    })
  }

  /** Undefined: done, and the workers have not run yet. */
  take(operation: Operation): Promise<void> | undefined {
    switch (operation.kind) {
      case 'update':
        this.#update(this.#optionsOf(operation))
        return operation.isInOneTurn ? undefined : this.settle()
      case 'known':
        this.#compareKnown(operation.uids)
        return operation.isInOneTurn ? undefined : this.settle()
      case 'killNow':
        this.#killNow(podFrom(operation.pod), operation.kill)
        return this.settle()
      case 'tick':
        return this.#tick(operation.afterMs)
      default:
        return this.#takeSettled(operation)
    }
  }

  async #takeSettled(
    operation: Extract<Operation, { readonly kind: 'end' | 'runtime' | 'slow' | 'answer' }>,
  ): Promise<void> {
    await this.settle()
    switch (operation.kind) {
      case 'end':
        this.#end(operation)
        break
      case 'runtime':
        this.#setRuntime(operation.uid, operation.content)
        break
      case 'slow':
        if (operation.isSlow) this.world.podCache.slow.add(operation.uid)
        else this.world.podCache.slow.delete(operation.uid)
        break
      case 'answer':
        this.#answer(operation.which)
        break
      default:
        assertNever(operation, 'operation')
    }
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.world.settle()
    this.model.settle()
    this.#compare()
  }

  /** No kill waits longer than its time, and each is notified once at most. */
  async finish(): Promise<readonly string[]> {
    await this.settle()
    await this.world.clock.advance(3_600_000)
    for (const { results, expected } of this.#killsNow) expect(results).toEqual([expected()])
    return this.#killsNow.map(({ expected }) => (expected() ? 'killed' : 'not killed in time'))
  }

  #optionsOf(operation: Extract<Operation, { readonly kind: 'update' }>): UpdatePodOptions {
    const { updateType, who, kill } = operation
    const pod = podFrom(operation.pod)
    const { uid: podUid, name } = operation.pod
    if (who !== 'running' && updateType !== 'kill') this.#config.set(podUid, pod)
    return {
      updateType,
      ...(who === 'running' ? {} : { pod }),
      ...(who === 'pod' ? {} : { runningPod: fakeRunningPod(podUid, name) }),
      ...(operation.hasMirror ? { mirrorPod: fakeMirrorOf(pod) } : {}),
      ...(kill === undefined ? {} : { killPodOptions: killOptions(kill) }),
      startTime: this.world.clock.now(),
      causes: [],
      ...(kill?.isAwaited === true ? this.#awaited(killOptions(kill)) : {}),
    }
  }

  /** Kill options that count; the same object goes to both, so each is notified in turn. */
  #awaited(options: KillPodOptions): { readonly killPodOptions: KillPodOptions } {
    const promised: Promised = { recorded: 0, due: 0 }
    this.#promised.push(promised)
    const onCompleted = (): void => {
      if (this.#isModelsTurn) promised.due++
      else promised.recorded++
    }
    return { killPodOptions: { ...options, onCompleted } }
  }

  #isModelsTurn = false
  #inModel<T>(act: () => T): T {
    this.#isModelsTurn = true
    const result = act()
    this.#isModelsTurn = false
    return result
  }

  #update(options: UpdatePodOptions): void {
    this.world.workers.updatePod(options)
    this.#inModel(() => {
      this.model.updatePod(options)
    })
  }

  #killNow(pod: Pod, { evict, override }: KillShape): void {
    const { clock, recorder } = this.world
    const grace = override ?? pod.spec.terminationGracePeriodSeconds ?? 0
    const deadline = clock.now() + Math.max(10, Math.trunc(1.5 * grace)) * 1000
    let completedAt: number | undefined
    const results: boolean[] = []
    const updatePod = (options: UpdatePodOptions): void => {
      this.world.workers.updatePod(options)
      const onCompleted = (): void => {
        completedAt = clock.now()
      }
      this.model.updatePod({
        ...options,
        killPodOptions: { ...options.killPodOptions, onCompleted },
      })
    }
    const kill = killPodNow({ podWorkers: { updatePod }, recorder, clock })
    void kill(pod, {
      evict: evict === true,
      ...(override === undefined ? {} : { gracePeriodSecondsOverride: override }),
      causes: [],
    }).then((result) => results.push(result.ok))
    this.#killsNow.push({
      expected: () => completedAt !== undefined && completedAt < deadline,
      results,
    })
  }

  #compareKnown(desiredUids: readonly string[]): void {
    const desired = desiredUids.map((one) => fakePod({ uid: one }))
    // The kubelet gives the very same set as long as its pods are the same.
    const key = desiredUids.join()
    const uids = this.#uids.get(key) ?? new Set(desiredUids)
    this.#uids.set(key, uids)
    const said = this.world.workers.syncKnownPods(desired, () => [], uids)
    expect(said).toEqual(this.model.syncKnownPods(uids))
  }

  #end({ which, outcome }: Extract<Operation, { readonly kind: 'end' }>): void {
    const { open } = this.world.syncer
    const call = open[which % Math.max(1, open.length)]
    if (call === undefined) return
    // Only SyncPod can say that its pod has ended.
    const said = outcome === 'terminal' && call.kind !== 'sync' ? 'ok' : outcome
    call.finish(outcomeOf(said))
    this.#inModel(() => {
      this.model.syncEnds(call.uid, said)
    })
  }

  #setRuntime(of: string, content: RuntimeContent): void {
    this.#contents.set(of, content)
    const { answers } = this.world.podCache
    switch (content) {
      case 'nothing':
        answers.delete(of)
        break
      case 'exited':
        answers.set(of, ok(runtimeStatusOf([containerStatusOf('c', 'exited')], [notReady])))
        break
      case 'running':
        answers.set(of, ok(runtimeStatusOf([containerStatusOf('c', 'running')], [notReady])))
        break
      case 'readySandbox':
        answers.set(of, ok(runtimeStatusOf([])))
        break
      case 'error':
        answers.set(of, err({ kind: 'failed', message: 'runtime is down' }))
        break
    }
  }

  #answer(which: number): void {
    const { podCache } = this.world
    const one = podCache.waiting[which % Math.max(1, podCache.waiting.length)]
    if (one === undefined) return
    podCache.release(one)
    this.model.cacheAnswers(one)
  }

  /** The sync loop's tick: what is due and still configured is synced. */
  async #tick(afterMs: number): Promise<void> {
    await this.settle()
    await this.world.clock.advance(afterMs)
    for (const { uid: due } of this.world.workQueue.getWork()) {
      this.model.dueAt.delete(due)
      const pod = this.#config.get(due)
      if (pod !== undefined) this.#update({ updateType: 'sync', pod, causes: [] })
    }
    await this.settle()
  }

  #compare(): void {
    expect(this.#seen()).toEqual(this.#expected())
    const { syncer } = this.world
    for (const call of syncer.calls.slice(this.#compared)) this.#compareCall(call)
    this.#compared = syncer.calls.length
  }

  #seen() {
    const { workers, syncer, workQueue, invariants, podCache } = this.world
    return {
      broken: invariants.broken,
      records: workers.recordUids(),
      held: uids.map((one) => heldIn(workers, one)),
      answers: uids.map((one) => answersIn(workers, one)),
      dueAt: uids.map((one) => workQueue.dueAt(one)),
      started: new Map<string, string>(workers.table.staticPodStart.started),
      mirrorsKept: fullNames.filter((name) => workers.isPodForMirrorPodTerminatingByFullName(name)),
      syncs: syncer.open
        .map((call) => workOf(call.kind, call.uid, call.cancellation.isCancelled()))
        .toSorted(inOrder),
      waiting: podCache.waiting.toSorted(inOrder),
      recorded: this.#promised.map(({ recorded }) => recorded),
    }
  }

  #expected() {
    const { model } = this
    const { records } = model
    const currentSync = [...records.values()].flatMap(
      ({ currentSync: work, uid: of, isCancelled }) =>
        work === undefined ? [] : [{ ...work, uid: of, isCancelled }],
    )
    const due = this.#promised.map((one) => one.due)
    expect(due.every((times) => times <= 1)).toBe(true)
    return {
      broken: [],
      records: [...records.keys()],
      held: uids.map((one) => heldBy(records.get(one))),
      answers: uids.map((one) => answersBy(model, records.get(one))),
      dueAt: uids.map((one) => model.dueAt.get(one)),
      started: model.started,
      mirrorsKept: fullNames.filter((name) => isHolderStopping(model, name)),
      syncs: currentSync
        .filter(({ waitsFor }) => waitsFor === 'syncer')
        .map((work) => workOf(work.kind, work.uid, work.isCancelled))
        .toSorted(inOrder),
      waiting: currentSync
        .filter(({ waitsFor }) => waitsFor === 'cache')
        .map((work) => work.uid)
        .toSorted(inOrder),
      recorded: due,
    }
  }

  /** What a sync was given. */
  #compareCall(call: SyncCall): void {
    const work = this.model.records.get(call.uid)?.currentSync
    if (work === undefined) throw new Error(`the model has no sync for ${call.uid}`)
    const { update, statusFunc } = work
    const { kind } = call
    expect(call.work['pod']).toBe(kind === 'runtimePod' ? undefined : update.pod)
    if (kind === 'runtimePod') expect(call.work['runningPod']).toBe(update.runningPod)
    if (kind === 'terminating') {
      expect(call.work['gracePeriodSeconds']).toBe(update.kill?.override)
      expect(call.work['podStatusFunc']).toBe(statusFunc)
    }
    if (kind === 'sync') {
      expect(call.work['updateType']).toBe(update.updateType)
      expect(call.work['mirrorPod']).toBe(update.mirrorPod)
    }
  }
}

const notReady = sandboxOf({ state: 'notready' })

function killOptions({ hasStatusFunc, evict, override }: KillShape): KillPodOptions {
  return {
    ...(hasStatusFunc ? { podStatusFunc: (status) => ({ ...status, phase: 'Failed' }) } : {}),
    ...(evict === undefined ? {} : { evict }),
    ...(override === undefined ? {} : { gracePeriodSecondsOverride: override }),
  }
}

function isHolderStopping(model: WorkersModel, fullName: string): boolean {
  const record = model.records.get(model.started.get(fullName) ?? '')
  return record?.terminatingAt !== undefined && record.terminatedAt === undefined
}

const workOf = (kind: string, of: string, isCancelled: boolean): string =>
  `${kind} ${of}${isCancelled ? ', cancelled' : ''}`

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1)

describe('PodWorkers, by properties', () => {
  it('hold, say and do after any sequence what docs/kubelet/pod-workers.md says', async () => {
    const met = new Set<string>()
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const bench = new Bench()
        for (const one of sequence) {
          const running = bench.take(one)
          // Without an await no worker can run in between.
          if (running !== undefined) await running
        }
        for (const result of await bench.finish()) met.add(result)
        for (const { kind } of bench.world.syncer.calls) met.add(kind)
        for (const kind of bench.world.trace.kinds) met.add(kind)
      }),
      parameters,
    )
    expect([...met].toSorted(inOrder)).toEqual([
      'killed',
      'not killed in time',
      'runtimePod',
      'sync',
      'terminated',
      'terminating',
      'worker.acknowledgedTerminating',
      'worker.forgotten',
      'worker.requeued',
      'worker.started',
      'worker.syncFinished',
      'worker.syncStarted',
      'worker.transitioned',
      'worker.updated',
      'worker.waiting',
    ])
  }, 60_000)
})
