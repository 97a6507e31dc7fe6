import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { assertNever } from '../../../src/shared/assert-never.ts'
import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { fakePod, fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import {
  configMirrorAnnotation,
  isMirrorPod,
  isStaticPod,
  isTerminalPhase,
  podHash,
} from '../../../src/main/kubelet/pod/identity.ts'
import { killPodNow } from '../../../src/main/kubelet/workers/kill-pod.ts'
import { answersBy, answersIn, heldBy, heldIn } from '../../models/workers-comparison.ts'
import { WorkersModel } from '../../models/workers-model.ts'
import { CoreFixture, Outside } from './core-fixture.ts'
import type { Operation } from './interleaving-operations.ts'
import { AwaitPoints } from './await-points.ts'
import type { Ending, PendingCall } from './await-points.ts'

/** How things are in the end. */
interface End {
  readonly running: readonly string[]
  readonly records: readonly string[]
  /** Name, uid (a mirror's: that of its static pod) and phase. */
  readonly api: readonly string[]
  readonly unsent: number
}

interface Wait {
  readonly uid: string
  isOver: boolean
}

/**
 * One kubelet's core after another, over the same API server and runtime, with every port's call ended by the
 * test. A plain model of the workers runs in parallel, together with checks of what a user can rely on.
 */
export class Interleaving {
  readonly #outside = new Outside()
  readonly #broken: string[] = []
  readonly #met = new Set<string>()
  /** By whom a pod is deleted from the API at the moment. */
  #isByUser = false
  /** Killed by hand since the last start of a kubelet, and not created again since. */
  readonly #killed = new Set<string>()
  /** Pods for which SyncTerminatedPod has begun: it says that the object may go. */
  readonly #cleanedUp = new Set<string>()
  #hasRestarted = false
  /** The model goes along. */
  #isModelled = true
  #waits: Wait[] = []
  #core: CoreFixture
  #model: WorkersModel
  /** What the cache says to the worker that waits for it, where that is not the runtime's content. */
  readonly #cacheErrors = new Set<string>()

  constructor() {
    this.#core = this.#newCore()
    this.#model = this.#newModel()
    this.#outside.server.watch((_, { type, object }) => {
      const { uid, annotations } = object.metadata
      if (annotations?.[configMirrorAnnotation] !== undefined) return
      if (type !== 'DELETED' || this.#isByUser) return
      if (this.#runs(uid)) this.#broken.push(`${uid} is deleted from the API and runs`)
      if (!this.#cleanedUp.has(uid))
        this.#broken.push(`${uid} is deleted from the API before SyncTerminatedPod`)
    })
  }

  /** What did not hold so far. */
  get broken(): readonly string[] {
    return [...this.#broken, ...this.#core.invariants.broken]
  }

  /** What happened in which call, as `place: what`. */
  get met(): ReadonlySet<string> {
    return new Set([...this.#met, ...this.#core.awaitPoints.met])
  }

  /** Does it, lets all run on, and holds the workers against their model: throws where they differ. */
  async take(operation: Operation): Promise<void> {
    await this.#do(operation)
    await this.#core.settle()
    this.#noteCancelled()
    this.#checkState()
    this.#compareWithModel()
  }

  /** Lets calls answer until one of the place is under way: which of them it is. */
  async reach(place: string): Promise<number> {
    for (let tried = 0; tried < 200; tried++) {
      const which = this.#core.awaitPoints.pending.findIndex((call) => call.place === place)
      if (which !== -1) return which
      if (this.#core.awaitPoints.pending.length === 0) await this.take({ kind: 'pass', seconds: 1 })
      else await this.take({ kind: 'flow', calls: 1 })
    }
    throw new Error(`${place} is not reached`)
  }

  /** The plain model holds the same, and says the same. */
  #compareWithModel(): void {
    this.#model.settle()
    const { workers, workQueue } = this.#core
    const uids = [...new Set([...workers.recordUids(), ...this.#model.records.keys()])]
    const seen = uids.map((uid) => [
      uid,
      heldIn(workers, uid),
      answersIn(workers, uid),
      workQueue.dueAt(uid),
    ])
    const expected = uids.map((uid) => {
      const record = this.#model.records.get(uid)
      return [uid, heldBy(record), answersBy(this.#model, record), this.#model.dueAt.get(uid)]
    })
    const started = new Map<string, string>(workers.table.staticPodStart.started)
    const [own, plain] = [
      { started, seen },
      { started: this.#model.started, seen: expected },
    ]
    // Much faster than to expect each; nearly all are equal.
    if (!isDeepStrictEqual(own, plain)) expect(own).toEqual(plain)
  }

  /** From here on nothing fails: what was requested has to become true. */
  async comeRight(): Promise<void> {
    this.#isModelled = false
    this.#core.awaitPoints.endAll()
    for (let round = 0; round < 90 && !this.#isRight(); round++) {
      this.#core.takeSources()
      await this.#pass(2)
    }
    await this.#core.settle()
    this.#checkState()
    expect(this.broken).toEqual([])
    expect(this.#core.awaitPoints.pending).toEqual([])
    expect(this.#end()).toEqual(this.#expectedEnd())
  }

  #isRight(): boolean {
    return isDeepStrictEqual(this.#end(), this.#expectedEnd())
  }

  /** How things are, in words that the plain expectation can say too. */
  #end(): End {
    const { server, runtime, manifests } = this.#outside
    const { workers, statusManager } = this.#core
    return {
      running: runtime.running.toSorted(),
      records: workers.recordUids().toSorted(),
      api: server
        .pods()
        // Once killed, a static pod is no longer synced, and its mirror stays as it was.
        .filter(
          ({ metadata: { name } }) => !this.#killed.has(manifests.get(name)?.metadata.uid ?? ''),
        )
        .map(
          (pod) =>
            `${pod.metadata.name} ${isMirrorPod(pod) ? podHash(pod) : pod.metadata.uid} ${pod.status?.phase ?? ''}`,
        )
        .toSorted(),
      unsent: statusManager.backlog(9).unsent,
    }
  }

  #expectedEnd(): End {
    const statics = [...this.#outside.manifests.values()]
    const regular = this.#regular().filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    )
    const isOver = (pod: Pod): boolean =>
      this.#killed.has(pod.metadata.uid) || isTerminalPhase(pod.status?.phase)
    const isStopped = (pod: Pod): boolean =>
      isStaticPod(pod) ? this.#killed.has(pod.metadata.uid) : isOver(pod)
    const all = [...statics, ...regular]
    const uids = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid).toSorted()
    return {
      running: uids(all.filter((pod) => !isStopped(pod))),
      records: uids(all),
      api: all
        .filter((pod) => !isStaticPod(pod) || !isStopped(pod))
        .map((pod) => {
          const phase = isStaticPod(pod) || !isOver(pod) ? 'Running' : 'Failed'
          return `${pod.metadata.name} ${pod.metadata.uid} ${phase}`
        })
        .toSorted(),
      unsent: 0,
    }
  }

  async #do(operation: Operation): Promise<void> {
    const { manifests } = this.#outside
    const core = this.#core
    switch (operation.kind) {
      case 'end':
        this.#endCall(chosen(core.awaitPoints.pending, operation.which), operation.how)
        return
      case 'flow':
        for (let call = 0; call < operation.calls; call++) {
          this.#endCall(core.awaitPoints.pending[0], 'answers')
          await core.settle()
          this.#compareWithModel()
        }
        return
      case 'cancel':
        this.#cancel(operation.which)
        return
      case 'create':
        await this.#create(operation.name, operation.grace)
        return
      case 'delete':
        this.#delete(operation.which, operation.grace)
        return
      case 'manifest': {
        const uid = `${operation.slot}-${operation.version}`
        manifests.set(operation.slot, fakeStaticPod({ name: operation.slot, uid }))
        return
      }
      case 'noManifest':
        manifests.delete(operation.slot)
        return
      case 'deliver':
        core.takeSources()
        return
      case 'kill':
        this.#kill(operation)
        return
      case 'pass':
        await this.#pass(operation.seconds)
        return
      case 'housekeeping':
        await core.housekeeping()
        return
      case 'restart':
        await this.#restart(operation.how)
        return
      default:
        assertNever(operation, 'operation')
    }
  }

  /** The sync loop's seconds: each begins with a tick, every other one with housekeeping. */
  async #pass(seconds: number): Promise<void> {
    const core = this.#core
    for (let second = 0; second < seconds; second++) {
      await this.#outside.clock.advance(1000)
      core.tick()
      await core.settle()
      if (second % 2 === 1) await core.housekeeping()
      await core.settle()
      if (this.#isModelled) this.#compareWithModel()
    }
  }

  #endCall(call: PendingCall | undefined, how: Ending): void {
    if (call === undefined) return
    const [uid] = call.uids
    const isCache = call.place.startsWith('cache')
    if (isCache && uid !== undefined && how !== 'answers') this.#cacheErrors.add(uid)
    call.end(how)
    if (isCache && uid !== undefined && !this.#core.isStopped) {
      this.#model.cacheAnswers(uid)
      this.#cacheErrors.delete(uid)
    }
  }

  #cancel(which: number): void {
    const { awaitPoints, podManager, workers } = this.#core
    const [uid] = chosen(awaitPoints.pending, which)?.uids ?? []
    if (uid === undefined) return
    const pod = podManager.getPodByUID(uid)
    const grace = workers.table.records.get(uid)?.gracePeriodSeconds ?? 0
    const killPodOptions = { gracePeriodSecondsOverride: Math.max(1, grace - 1) }
    const list = this.#outside.runtime.list().find((one) => one.uid === uid)
    if (pod !== undefined) {
      this.#noteKilled(uid)
      this.#core.update({ updateType: 'kill', pod, killPodOptions })
    } else if (list !== undefined)
      this.#core.update({ updateType: 'kill', runningPod: list, killPodOptions })
  }

  /** A kill of a pod that starts again afterwards reaches only the one that terminates already. */
  #noteKilled(uid: string): void {
    const record = this.#core.workers.table.records.get(uid)
    if (record?.restartRequested !== true) this.#killed.add(uid)
  }

  async #create(name: string, grace: number): Promise<void> {
    const pod = fakePod({ name, spec: { terminationGracePeriodSeconds: grace } })
    const { server } = this.#outside
    await server.create(
      { resource: 'pods', namespace: 'default' },
      { ...pod, status: { phase: 'Pending' } },
    )
  }

  #delete(which: number, grace: number): void {
    const pod = chosen(this.#outside.server.pods(), which)
    if (pod === undefined) return
    this.#isByUser = true
    this.#outside.server.deletePod(pod.metadata.name, grace)
    this.#isByUser = false
  }

  #kill({ which, evict, override }: Extract<Operation, { readonly kind: 'kill' }>): void {
    const core = this.#core
    const pod = chosen(core.podManager.getPods(), which)
    if (pod === undefined) return
    const { uid } = pod.metadata
    const wait: Wait = { uid, isOver: false }
    this.#waits.push(wait)
    this.#noteKilled(uid)
    const kill = killPodNow({
      podWorkers: { updatePod: core.update.bind(core) },
      recorder: core.recorder,
      clock: this.#outside.clock,
    })
    const gracePeriodSecondsOverride = override
    void kill(pod, { evict, gracePeriodSecondsOverride, causes: [] }).then(({ ok }) => {
      wait.isOver = true
      core.awaitPoints.note('killPodNow', ok ? 'answers' : 'fails')
    })
  }

  async #restart(how: Ending): Promise<void> {
    const core = this.#core
    for (const { place } of core.awaitPoints.pending) core.awaitPoints.note(place, 'stopped')
    if (this.#waits.some(({ isOver }) => !isOver)) core.awaitPoints.note('killPodNow', 'stopped')
    core.stop()
    const begun = core.awaitPoints.pending.length
    core.awaitPoints.onBegin = (place) => {
      // The cache is the kubelet's own, and is no longer filled.
      if (!place.startsWith('cache')) this.#broken.push(`${place} begins after the stop`)
    }
    for (const call of core.awaitPoints.pending.slice(0, begun)) {
      call.end(how)
      await core.settle()
    }
    await this.#outside.clock.advance(30_000)
    this.#broken.push(...core.invariants.broken)
    for (const each of core.awaitPoints.met) this.#met.add(each)
    this.#killed.clear()
    this.#waits = []
    this.#hasRestarted = true
    this.#core = this.#newCore()
    this.#model = this.#newModel()
  }

  #newCore(): CoreFixture {
    const core = new CoreFixture(this.#outside, new AwaitPoints())
    core.onUpdate = (options) => {
      const { pod, killPodOptions: kill, updateType } = options
      if (updateType === 'create' && pod !== undefined && isStaticPod(pod))
        this.#killed.delete(pod.metadata.uid)
      if (!this.#isModelled) return
      // Only the real workers notify the kills.
      const onCompleted = kill?.onCompleted === undefined ? {} : { onCompleted: () => undefined }
      this.#model.updatePod({
        ...options,
        ...(kill === undefined ? {} : { killPodOptions: { ...kill, ...onCompleted } }),
      })
    }
    core.onSync = {
      begins: (uid, kind) => {
        if (kind === 'terminated') this.#cleanedUp.add(uid)
      },
      ends: (uid, how) => {
        if (!core.isStopped && this.#isModelled) this.#model.syncEnds(uid, how)
      },
    }
    core.onDue = (uid) => {
      this.#model.dueAt.delete(uid)
    }
    core.onKnownPods = (desired, said) => {
      if (!this.#isModelled) return
      const uids = new Set(desired.map(({ metadata }) => metadata.uid))
      expect(said).toEqual(this.#model.syncKnownPods(uids))
    }
    return core
  }

  #newModel(): WorkersModel {
    return new WorkersModel({
      now: this.#outside.clock.now,
      cache: (uid) => {
        if (this.#cacheErrors.has(uid)) return 'error'
        return this.#runs(uid) ? 'alive' : 'dead'
      },
      isSlow: () => true,
    })
  }

  #runs(uid: string): boolean {
    return this.#outside.runtime.running.includes(uid)
  }

  #regular(): readonly Pod[] {
    return this.#outside.server.pods().filter((pod) => !isMirrorPod(pod))
  }

  #noteCancelled(): void {
    const { awaitPoints, workers } = this.#core
    const isCancelled = (uid: string): boolean =>
      workers.table.records.get(uid)?.cancellation?.isCancelled() === true
    for (const { place, uids } of awaitPoints.pending)
      if (uids.some(isCancelled)) awaitPoints.note(place, 'cancelled')
    if (this.#waits.some(({ uid, isOver }) => !isOver && isCancelled(uid)))
      awaitPoints.note('killPodNow', 'cancelled')
  }

  /** What holds at every moment. */
  #checkState(): void {
    for (const pod of this.#regular())
      if (isTerminalPhase(pod.status?.phase) && this.#runs(pod.metadata.uid))
        this.#broken.push(`${pod.metadata.uid} is ${pod.status?.phase ?? ''} in the API and runs`)
    // A kubelet that has just started does not know yet what the one before it left running.
    if (this.#hasRestarted) return
    for (const slot of ['web-node', 'db-node']) {
      const running = this.#outside.runtime.running.filter((uid) => uid.startsWith(slot))
      if (running.length > 1) this.#broken.push(`of ${slot} run ${running.join(' and ')}`)
    }
  }
}

function chosen<T>(all: readonly T[], which: number): T | undefined {
  return all[which % Math.max(1, all.length)]
}
