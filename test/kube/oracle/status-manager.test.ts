import fc from 'fast-check'
import { expect, it } from 'vitest'
import type {
  ContainerState,
  Pod,
  PodPhase,
  PodStatus,
} from '../../../src/shared/kubernetes/objects.ts'
import { isJsonObject } from '../../../src/shared/json.ts'
import { assertNever } from '../../../src/shared/assert-never.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { fakePod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { isMirrorPod, isStaticPod } from '../../../src/main/kubelet/pod/identity.ts'
import { StatusManager } from '../../../src/main/kubelet/status/status-manager.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'
import { plain } from './plain.ts'
import { podStatuses, podUids, statusPods } from './random-statuses.ts'
import { requestText, StatusServer, type Faults } from './status-server.ts'

const numRuns = 1200
let operations = 0
const requests = { get: 0, patch: 0, delete: 0 }

/** The operations of both, with Go's field names. */
type Operation =
  | { readonly ask: 'addPod' | 'removePod' | 'serve' | 'terminatePod'; readonly pod: Pod }
  /** The API source: the kubelet learns what the server has. */
  | { readonly ask: 'echo' | 'forget'; readonly name: string }
  | { readonly ask: 'running'; readonly uid: string; readonly value: boolean }
  | { readonly ask: 'setPodStatus'; readonly pod: Pod; readonly status: PodStatus }
  /** Told as setPodStatus: the cached status with its containers in other states. */
  | {
      readonly ask: 'restart'
      readonly pod: Pod
      readonly state: ContainerState
      readonly phase: PodPhase
    }
  | {
      readonly ask: 'setContainerReadiness' | 'setContainerStartup'
      readonly uid: string
      readonly containerID: string
      readonly value: boolean
    }
  | { readonly ask: 'removeOrphanedStatuses'; readonly uids: readonly string[] }
  | { readonly ask: 'syncBatch'; readonly value: boolean; readonly faults: Faults }
  | { readonly ask: 'advance'; readonly ms: number }

const faultKinds = fc.constantFrom('not-found', 'conflict', 'broken')
const faults: fc.Arbitrary<Faults> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ get: faultKinds }) },
  { weight: 1, arbitrary: fc.record({ patch: faultKinds }) },
  { weight: 1, arbitrary: fc.record({ delete: faultKinds }) },
)

/** An operation with indexes of pods and statuses. */
type Drawn = (cast: readonly Pod[], said: readonly PodStatus[]) => Operation

const place = fc.nat({ max: 3 })
const name = fc.constantFrom('web', 'web-node')
const value = fc.boolean()
const containerID = fc.constantFrom('c', 'd', 'i', 's').map((id) => `fake://${id}`)
const ask = <A extends string>(...names: readonly A[]): fc.Arbitrary<A> => fc.constantFrom(...names)

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('an empty cast')
  return found
}

function drawn<T>(
  weight: number,
  model: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  make: (values: T, cast: readonly Pod[], said: readonly PodStatus[]) => Operation,
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<Drawn> } {
  const arbitrary = fc.record<T>(model).map(
    (values): Drawn =>
      (cast, said) =>
        make(values, cast, said),
  )
  return { weight, arbitrary }
}

const nextStates = fc.constantFrom<ContainerState[]>(
  { waiting: { reason: 'CrashLoopBackOff' } },
  { running: {} },
  { terminated: { exitCode: 0 } },
  { terminated: { exitCode: 137 } },
)
const nextPhases = fc.constantFrom<PodPhase[]>('Pending', 'Running', 'Succeeded', 'Failed')

const operationsDrawn = fc.array(
  fc.oneof(
    drawn(
      4,
      { asked: ask('addPod', 'addPod', 'removePod'), pod: place },
      ({ asked, pod }, cast) => ({
        ask: asked,
        pod: at(cast, pod),
      }),
    ),
    drawn(3, { pod: place }, ({ pod }, cast) => ({ ask: 'serve', pod: at(cast, pod) })),
    drawn(3, { name }, (values) => ({ ask: 'echo', ...values })),
    drawn(1, { name }, (values) => ({ ask: 'forget', ...values })),
    drawn(2, { pod: place, value }, ({ pod, ...values }, cast) => ({
      ask: 'running',
      uid: at(cast, pod).metadata.uid,
      ...values,
    })),
    drawn(7, { pod: place, status: place }, ({ pod, status }, cast, said) => ({
      ask: 'setPodStatus',
      pod: at(cast, pod),
      status: at(said, status),
    })),
    drawn(4, { pod: place, state: nextStates, phase: nextPhases }, ({ pod, ...values }, cast) => ({
      ask: 'restart',
      pod: at(cast, pod),
      ...values,
    })),
    drawn(2, { pod: place }, ({ pod }, cast) => ({ ask: 'terminatePod', pod: at(cast, pod) })),
    drawn(
      3,
      {
        asked: ask('setContainerReadiness', 'setContainerStartup'),
        pod: place,
        containerID,
        value,
      },
      ({ asked, pod, ...values }, cast) => ({
        ask: asked,
        uid: at(cast, pod).metadata.uid,
        ...values,
      }),
    ),
    drawn(1, { uids: fc.subarray([...podUids]) }, (values) => ({
      ask: 'removeOrphanedStatuses',
      ...values,
    })),
    drawn(7, { value, faults }, (values) => ({ ask: 'syncBatch', ...values })),
    drawn(2, { ms: fc.constantFrom(400, 5000) }, (values) => ({ ask: 'advance', ...values })),
  ),
  { minLength: 10, maxLength: 24 },
)

/** A few pods and statuses that come again and again, so that operations meet. */
const sequences: fc.Arbitrary<readonly Operation[]> = fc
  .record({
    cast: fc.array(statusPods, { minLength: 1, maxLength: 4 }),
    said: fc.array(podStatuses, { minLength: 1, maxLength: 4 }),
    isKnown: fc.boolean(),
    acts: operationsDrawn,
  })
  .map(({ cast, said, isKnown, acts }) => [
    ...(isKnown ? cast.flatMap(knownToAll) : []),
    ...acts.map((act) => act(cast, said)),
  ])

function knownToAll(pod: Pod): readonly Operation[] {
  const added: Operation = { ask: 'addPod', pod }
  // A static pod itself is not in the API.
  return pod.metadata.uid.startsWith('s') ? [added] : [added, { ask: 'serve', pod }]
}

/** Our manager with what the oracle has around the kubelet's. */
class Ours {
  readonly server = new StatusServer()
  /** The uids of mirrors that the pod manager has. */
  readonly mirrors = new Set<string>()
  readonly #clock: VirtualClock
  readonly #pods = new PodManager({ trace: { emit: () => 0 } })
  readonly #running = new Map<string, boolean>()
  readonly #manager: StatusManager
  /** Kinds of decisions that it has taken. */
  readonly decided = new Set<string>()

  constructor(startAt: number) {
    this.#clock = new VirtualClock(nodeClockHost, { startAt })
    this.#manager = new StatusManager({
      api: this.server,
      podManager: this.#pods,
      podDeletionSafety: { couldHaveRunningContainers: (uid) => this.#running.get(uid) === true },
      clock: this.#clock,
      trace: {
        emit: ({ kind }) => {
          this.decided.add(kind)
          return 0
        },
      },
      log: new FakeLog(),
    })
  }

  async do(operation: Operation): Promise<unknown> {
    const manager = this.#manager
    switch (operation.ask) {
      case 'addPod':
        this.#pods.addPod(operation.pod, [])
        if (isMirrorPod(operation.pod)) this.mirrors.add(operation.pod.metadata.uid)
        return null
      case 'removePod':
        this.#pods.removePod(operation.pod, [])
        this.mirrors.delete(operation.pod.metadata.uid)
        return null
      case 'serve':
        this.server.pods.set(operation.pod.metadata.name, operation.pod)
        return null
      case 'forget':
        this.server.pods.delete(operation.name)
        return null
      case 'echo':
      case 'restart':
        throw new Error(`told as another: ${operation.ask}`)
      case 'running':
        this.#running.set(operation.uid, operation.value)
        return null
      case 'setPodStatus':
        manager.setPodStatus(operation.pod, operation.status, [])
        return null
      case 'terminatePod':
        manager.terminatePod(operation.pod, [])
        return null
      case 'setContainerReadiness':
      case 'setContainerStartup':
        manager[operation.ask](operation.uid, operation.containerID, operation.value, [])
        return null
      case 'removeOrphanedStatuses':
        manager.removeOrphanedStatuses(new Set(operation.uids))
        return null
      case 'syncBatch':
        return await this.#syncBatch(operation.value, operation.faults)
      case 'advance':
        await this.#clock.advance(operation.ms)
        return null
      default:
        return assertNever(operation, 'operation')
    }
  }

  cached(uid: string): PodStatus | undefined {
    return this.#manager.getPodStatus(uid)
  }

  look(): unknown {
    const statuses = podUids.map((uid) => [uid, this.#manager.getPodStatus(uid)])
    const versions = podUids.map((uid) => [uid, this.#manager.versions(uid)?.cached])
    return { statuses: Object.fromEntries(statuses), versions: Object.fromEntries(versions) }
  }

  async #syncBatch(all: boolean, scripted: Faults): Promise<unknown> {
    this.server.faults = scripted
    const tried = await this.#manager.syncBatch(all)
    const asked = this.server.requests.splice(0)
    for (const { verb } of asked) requests[verb]++
    return { tried, requests: asked, server: Object.fromEntries(this.server.pods) }
  }
}

/** The one difference, which docs/differences.md explains. */
function withoutDisruptionTime(look: unknown): unknown {
  return JSON.parse(
    JSON.stringify(look, (_, value: unknown) =>
      isJsonObject(value) && value['type'] === 'DisruptionTarget'
        ? { ...value, lastTransitionTime: undefined }
        : value,
    ),
  )
}

interface Batch {
  readonly tried: number
  readonly requests: readonly unknown[]
  readonly server: unknown
}

function isBatch(answer: unknown): answer is Batch {
  return typeof answer === 'object' && answer !== null && 'requests' in answer
}

/** Sorted, because the order of pods is that of a Go map. */
function comparable(answer: unknown): unknown {
  if (!isBatch(answer)) return plain(withoutDisruptionTime(answer))
  const { tried, server } = answer
  return { tried, requests: answer.requests.map(requestText).toSorted(), server: plain(server) }
}

await describeOracle(
  {
    name: 'status manager',
    subject: 'statusManager',
    title: 'the status manager',
    summary: () =>
      `${operations} operations gave the kubelet’s statuses and requests: ${requests.get} GET, ${requests.patch} PATCH, ${requests.delete} DELETE`,
  },
  (oracle) => {
    const met = new Set<string>()
    async function both(given: readonly Operation[]): Promise<void> {
      const ours = new Ours(Number(await oracle.ask('new', {})))
      const asked: Promise<unknown>[] = []
      const said: unknown[] = []
      for (const one of given) {
        const operation = told(one, ours)
        if (operation === undefined || isOutOfOrder(operation, ours.mirrors)) continue
        operations++
        const values = operation.ask === 'advance' ? operation.ms : operation
        asked.push(oracle.ask(operation.ask, values), oracle.ask('look', { uids: podUids }))
        said.push(operation, await ours.do(operation), ours.look())
      }
      for (const kind of ours.decided) met.add(kind)
      const answers = await Promise.all(asked)
      // Each answer behind its question, so that a difference shows what was asked.
      const theirs = said.map((ours_, index) =>
        index % 3 === 0 ? ours_ : comparable(answers[Math.floor(index / 3) * 2 + (index % 3) - 1]),
      )
      expect(said.map((one, index) => (index % 3 === 0 ? one : comparable(one)))).toEqual(theirs)
    }

    it('keeps the time of DisruptionTarget in its cache while it writes a later one', async () => {
      const ours = new Ours(Number(await oracle.ask('new', {})))
      const pod: Pod = { ...fakePod({ uid: 'u1' }), status: { phase: 'Running' } }
      const status: PodStatus = {
        phase: 'Failed',
        conditions: [{ type: 'DisruptionTarget', status: 'True' }],
      }
      const given: readonly Operation[] = [
        { ask: 'addPod', pod },
        { ask: 'serve', pod },
        { ask: 'setPodStatus', pod, status },
        { ask: 'advance', ms: 5000 },
        { ask: 'syncBatch', value: false, faults: {} },
      ]
      for (const one of given) {
        await oracle.ask(one.ask, one.ask === 'advance' ? one.ms : one)
        await ours.do(one)
      }
      const theirs = await oracle.ask('look', { uids: podUids })
      expect(plain(theirs)).not.toEqual(plain(ours.look()))
      expect(comparable(theirs)).toEqual(comparable(ours.look()))
    })

    it('caches and writes the same as the kubelet’s', { timeout: 120_000 }, async () => {
      await fc.assert(fc.asyncProperty(sequences, both), oracleParameters(numRuns))
      expect([...met].toSorted()).toEqual([
        'status.cached',
        'status.dropped',
        'status.failed',
        'status.patched',
        'status.podDeleted',
        'status.rejected',
        'status.withheld',
      ])
    })
  },
)

/** What cannot happen, or has no answer of its own. */
function isOutOfOrder(operation: Operation, mirrors: ReadonlySet<string>): boolean {
  if (!('pod' in operation)) return false
  const { ask: asked, pod } = operation
  if (asked === 'serve') return isStaticPod(pod)
  if (!isMirrorPod(pod)) return false
  // A mirror has no worker that sets its status.
  if (asked === 'setPodStatus' || asked === 'terminatePod') return true
  // With two mirrors of one static pod the kubelet takes the first of a map.
  return asked === 'addPod' && [...mirrors].some((uid) => uid !== pod.metadata.uid)
}

/** The operations of both; the objects of the API source are those of both servers. */
function told(operation: Operation, ours: Ours): Operation | undefined {
  if (operation.ask === 'restart') return restarted(operation, ours)
  if (operation.ask !== 'echo') return operation
  const pod = ours.server.pods.get(operation.name)
  if (pod === undefined) return undefined
  const annotations = { ...pod.metadata.annotations, 'kubernetes.io/config.source': 'api' }
  return { ask: 'addPod', pod: { ...pod, metadata: { ...pod.metadata, annotations } } }
}

/** What a sync says next of a pod whose status is cached: every container is in that state now. */
function restarted(
  { pod, state, phase }: Extract<Operation, { readonly ask: 'restart' }>,
  ours: Ours,
): Operation | undefined {
  const status = ours.cached(pod.metadata.uid)
  if (status === undefined) return undefined
  const { containerStatuses, initContainerStatuses } = status
  const inState = (statuses: PodStatus['containerStatuses']) =>
    statuses?.map((one) => ({ ...one, state, restartCount: one.restartCount + 1 }))
  const next = {
    ...status,
    phase,
    ...(containerStatuses === undefined ? {} : { containerStatuses: inState(containerStatuses) }),
    ...(initContainerStatuses === undefined
      ? {}
      : { initContainerStatuses: inState(initContainerStatuses) }),
  }
  // As JSON has it: the same for both.
  return { ask: 'setPodStatus', pod, status: JSON.parse(JSON.stringify(next)) as PodStatus }
}
