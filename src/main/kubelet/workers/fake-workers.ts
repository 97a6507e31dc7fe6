import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { FakeEventRecorder } from '../container/fake-event-recorder.ts'
import { FakeLog } from '../container/fake-log.ts'
import { FakeTrace } from '../container/fake-trace.ts'
import { emptyPodRuntimeStatus } from '../container/pod-cache.ts'
import type { PodCache, PodRuntimeStatus, RuntimePod } from '../container/runtime.ts'
import type { Random, RuntimeError } from '../ports.ts'
import { FakePodSyncer } from './fake-pod-syncer.ts'
import { PodWorkers } from './pod-workers.ts'
import { WorkQueue } from './work-queue.ts'
import { WorkerInvariants } from '../../../../test/models/worker-invariants.ts'
import type { WorkerRecord } from './worker-record.ts'

type Answer = Result<PodRuntimeStatus, RuntimeError>

/** A cache that answers with what the test put there, at once unless it is slow, and notes what it was asked. */
class FakePodCache implements PodCache {
  readonly answers = new Map<string, Answer>()
  readonly asked: number[] = []
  /** Called when a worker asks for something newer than a time. */
  onAsk: (uid: string, time: number) => void = () => undefined
  /** Uids of which nothing newer comes until `release`. */
  readonly slow = new Set<string>()
  readonly #waiting = new Map<string, () => void>()

  readonly get = (uid: string): Answer => this.answers.get(uid) ?? ok(emptyPodRuntimeStatus(uid))

  readonly getNewerThan = (uid: string, time: number): Promise<Answer> => {
    this.asked.push(time)
    this.onAsk(uid, time)
    if (!this.slow.has(uid)) return Promise.resolve(this.get(uid))
    return new Promise((resolve) => {
      this.#waiting.set(uid, () => {
        resolve(this.get(uid))
      })
    })
  }

  /** Uids of which a worker waits for something newer. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()]
  }

  /** Answers the worker that waits, with what is known now. */
  release(uid: string): void {
    this.#waiting.get(uid)?.()
    this.#waiting.delete(uid)
  }

  fail(uid: string, message: string): void {
    this.answers.set(uid, err({ kind: 'failed', message }))
  }
}

/** No jitter: every pause is as short as it can be. */
const noJitter: Random = { next: () => 0, fork: () => noJitter }

/** A pod that only the runtime lists. */
export function fakeRunningPod(uid: string, name = 'web'): RuntimePod {
  return { uid, name, namespace: 'default', createdAt: 0, containers: [], sandboxes: [] }
}

/** Pod workers on fakes, with an eye on their invariants. The clock starts at 1000. */
export function setUpWorkers() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 1000 })
  const trace = new FakeTrace()
  const log = new FakeLog()
  const recorder = new FakeEventRecorder()
  const syncer = new FakePodSyncer()
  const podCache = new FakePodCache()
  const workQueue = new WorkQueue({ clock })
  const workers = new PodWorkers({
    clock,
    random: noJitter,
    trace,
    log,
    podCache,
    podSyncer: syncer,
    workQueue,
    recorder,
  })
  const invariants = new WorkerInvariants({ table: workers.table })
  syncer.onCall = (call) => {
    invariants.syncBegins(call.uid, call.kind)
  }
  syncer.onEnd = (call, outcome) => {
    invariants.syncEnds(call.uid, call.kind, outcome.ok)
  }
  return {
    clock,
    trace,
    log,
    recorder,
    syncer,
    podCache,
    workQueue,
    workers,
    invariants,
    /** Lets everything run that can run now. */
    settle: async () => {
      await clock.advance(0)
      invariants.check()
    },
    record: (uid: string): WorkerRecord => {
      const record = workers.table.records.get(uid)
      if (record === undefined) throw new Error(`no record of ${uid}`)
      return record
    },
  }
}
