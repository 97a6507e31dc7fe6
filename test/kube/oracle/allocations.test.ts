import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FakeEventRecorder } from '../../../src/main/kubelet/container/fake-event-recorder.ts'
import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import type { AllocationManager } from '../../../src/main/kubelet/allocation/allocation-manager.ts'
import type { PodAdmitter } from '../../../src/main/kubelet/admission/pod-admitter.ts'
import type { RuntimeContainerStatus } from '../../../src/main/kubelet/ports.ts'
import { ResizeConditions } from '../../../src/main/kubelet/status/resize-conditions.ts'
import type {
  Container,
  Pod,
  ResourceRequirements,
} from '../../../src/shared/kubernetes/objects.ts'
import { isJsonObject } from '../../../src/shared/json.ts'
import { podRequests } from '../../../src/shared/kubernetes/pod-requests.ts'
import { oracleParameters } from './driving.ts'
import { describeOracle } from './oracle-suite.ts'
import { resizableResources } from './random-resizes.ts'

const numRuns = 500
let steps = 0
let resizes = 0
let deferred = 0

const names = ['a', 'b', 'c']
const uids = ['u1', 'u2', 'u3', 'u4']
const allocatable = { cpu: '3', memory: '2Gi' }

type Resources = Readonly<Record<string, ResourceRequirements>>

type Step =
  | { readonly kind: 'add' | 'update'; readonly pod: Pod }
  | { readonly kind: 'push' | 'remove'; readonly uid: string }
  | { readonly kind: 'retry'; readonly ready: boolean }
  | { readonly kind: 'orphans' }
  | { readonly kind: 'actuate'; readonly uid: string; readonly container: string }
  | { readonly kind: 'check'; readonly uid: string; readonly running: readonly string[] }

/** What both managers keep after a step. */
interface Told {
  readonly refusal: string
  readonly allocated: Readonly<Record<string, Resources>>
  readonly actuated: Readonly<Record<string, Resources>>
  readonly pending: readonly string[]
  readonly conditions: Readonly<Record<string, readonly string[]>>
  readonly events: readonly string[]
  readonly synced: readonly string[]
}

/** `a` is an init container, `b` a sidecar, `c` a regular container. */
function podOf(
  uid: string,
  [a, b, c]: readonly [ResourceRequirements, ResourceRequirements, ResourceRequirements],
  {
    priority,
    isStatic,
    generation,
  }: { readonly priority: number; readonly isStatic: boolean; readonly generation: number },
): Pod {
  const container = (name: string, resources: ResourceRequirements): Container => ({
    name,
    resources,
  })
  return {
    metadata: {
      name: uid,
      namespace: 'n',
      uid,
      generation,
      annotations: { 'kubernetes.io/config.source': isStatic ? 'file' : 'api' },
    },
    spec: {
      initContainers: [container('a', a), { ...container('b', b), restartPolicy: 'Always' }],
      containers: [container('c', c)],
      ...(priority === 0 ? {} : { priority }),
    },
  }
}

const podsOf = (uid: fc.Arbitrary<string>): fc.Arbitrary<Pod> =>
  fc
    .tuple(
      uid,
      fc.tuple(resizableResources, resizableResources, resizableResources),
      fc.record({
        priority: fc.constantFrom(0, 0, 0, 7, -7),
        isStatic: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        generation: fc.integer({ min: 1, max: 9 }),
      }),
    )
    .map(([id, resources, more]) => podOf(id, resources, more))

const anyUid = fc.constantFrom(...uids)

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: podsOf(anyUid).map((pod) => ({ kind: 'update', pod }) as const) },
  { weight: 4, arbitrary: anyUid.map((uid) => ({ kind: 'push', uid }) as const) },
  {
    weight: 4,
    arbitrary: fc
      .integer({ min: 0, max: 9 })
      .map((n) => ({ kind: 'retry', ready: n > 0 }) as const),
  },
  { weight: 1, arbitrary: anyUid.map((uid) => ({ kind: 'remove', uid }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'orphans' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('actuate' as const),
      uid: anyUid,
      container: fc.constantFrom('b', 'c'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('check' as const),
      uid: anyUid,
      running: fc.subarray(names),
    }),
  },
)

const runs = fc
  .tuple(
    fc.tuple(...uids.map((uid) => podsOf(fc.constant(uid)))),
    fc.array(anyStep, { minLength: 5, maxLength: 30 }),
  )
  .map(([pods, later]): readonly Step[] => [
    ...pods.map((pod) => ({ kind: 'add', pod }) as const),
    ...later.flatMap((step): readonly Step[] =>
      step.kind === 'update' ? [step, { kind: 'push', uid: step.pod.metadata.uid }] : [step],
    ),
  ])

/** Refuses a pod when CPU runs out, as the oracle's admission does. */
const admitter: PodAdmitter = {
  admit: (pod, others) => {
    const used = [...others, pod].reduce(
      (sum, one) => sum + (podRequests(one).get('cpu') ?? 0n),
      0n,
    )
    return used <= 3000n ? undefined : { reason: 'OutOfcpu', message: `used ${String(used)}` }
  },
}

class Ours {
  readonly #events = new FakeEventRecorder()
  readonly #manager: AllocationManager
  readonly #conditions: ResizeConditions
  #now = 0
  #isReady = true
  #pods: Pod[] = []
  #synced: string[] = []

  constructor() {
    const clock = { now: () => this.#now, after: () => () => undefined }
    this.#conditions = new ResizeConditions({ clock })
    this.#manager = fakeAllocations([admitter], {
      clock,
      recorder: this.#events,
      conditions: this.#conditions,
      sourcesReady: { allReady: () => this.#isReady },
      activePods: () => this.#pods,
      podByUID: (uid) => this.#pod(uid),
      triggerPodSync: ({ metadata }) => this.#synced.push(metadata.uid),
      allocatable: () => allocatable,
    })
  }

  async take(step: Step): Promise<Told> {
    this.#now++
    return this.#told(await this.#do(step))
  }

  #pod(uid: string): Pod | undefined {
    return this.#pods.find(({ metadata }) => metadata.uid === uid)
  }

  async #do(step: Step): Promise<string> {
    switch (step.kind) {
      case 'add': {
        this.#pods.push(step.pod)
        const refusal = await this.#manager.addPod(this.#pods, step.pod, [])
        return refusal === undefined ? '' : `${refusal.reason}: ${refusal.message}`
      }
      case 'update':
        this.#pods = this.#pods.map((pod) =>
          pod.metadata.uid === step.pod.metadata.uid ? step.pod : pod,
        )
        return ''
      case 'push':
        this.#manager.pushPendingResize(step.uid)
        return ''
      case 'retry':
        this.#isReady = step.ready
        await this.#manager.retryPendingResizes([])
        return ''
      case 'remove':
        this.#pods = this.#pods.filter(({ metadata }) => metadata.uid !== step.uid)
        this.#manager.removePod(step.uid)
        return ''
      case 'orphans':
        this.#manager.removeOrphanedPods(new Set(this.#pods.map(({ metadata }) => metadata.uid)))
        return ''
      default: {
        const desired = this.#pod(step.uid)
        if (desired !== undefined) this.#use(step, this.#manager.updatePodFromAllocation(desired))
        return ''
      }
    }
  }

  #use(step: Extract<Step, { readonly kind: 'actuate' | 'check' }>, pod: Pod): void {
    if (step.kind === 'check') {
      const containers = step.running.map(
        // Only these are looked at.
        (name) => ({ name, state: 'running' }) as RuntimeContainerStatus,
      )
      const status = { uid: step.uid, name: '', namespace: '', ips: [], sandboxes: [], containers }
      this.#manager.checkPodResizeInProgress(pod, status, [])
      return
    }
    const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
    const container = all.find(({ name }) => name === step.container)
    this.#manager.setActuatedResources(step.uid, step.container, container?.resources ?? {})
  }

  #told(refusal: string): Told {
    const { allocated, actuated, pending } = this.#manager.records()
    const synced = this.#synced
    this.#synced = []
    return {
      refusal,
      allocated,
      actuated,
      pending,
      conditions: Object.fromEntries(
        this.#pods.map(({ metadata: { uid } }) => [
          uid,
          this.#conditions
            .list(uid)
            .map(({ type, reason, message, observedGeneration }) =>
              [type, reason, message, observedGeneration].join(' '),
            ),
        ]),
      ),
      events: this.#events.take(),
      synced,
    }
  }
}

/** As Go writes it: nothing that is empty. */
function withoutEmpty(value: unknown): unknown {
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, withoutEmpty(one)] as const)
      .filter(([, one]) => !isJsonObject(one) || Object.keys(one).length > 0),
  )
}

function resourcesIn(theirs: unknown): unknown {
  const pods = isJsonObject(theirs) ? theirs : {}
  return withoutEmpty(
    Object.fromEntries(
      Object.entries(pods).map(([uid, pod]) => [
        uid,
        isJsonObject(pod) ? pod['ContainerResources'] : pod,
      ]),
    ),
  )
}

await describeOracle(
  {
    name: 'allocations',
    subject: 'allocations',
    title: 'AllocationManager',
    summary: () =>
      `${steps} steps with ${resizes} pods synced for a resize, ${deferred} times deferred, as the kubelet’s allocation manager`,
  },
  (oracle) => {
    async function both(run: readonly Step[]): Promise<void> {
      await oracle.ask('new', allocatable)
      const ours = new Ours()
      for (const step of run) {
        await oracle.ask('advance', 1)
        const theirs = await oracle.ask(step.kind, step)
        const told = await ours.take(step)
        if (!isJsonObject(theirs)) throw new Error('no answer')
        expect({
          ...told,
          allocated: withoutEmpty(told.allocated),
          actuated: withoutEmpty(told.actuated),
        }).toEqual({
          ...theirs,
          allocated: resourcesIn(theirs['allocated']),
          actuated: resourcesIn(theirs['actuated']),
        })
        steps++
        resizes += told.synced.length
        deferred += Object.values(told.conditions)
          .flat()
          .filter((one) => one.includes('Deferred')).length
      }
    }

    it(
      'allocates, defers and refuses the same resizes in any order',
      { timeout: 120_000 },
      async () => {
        await fc.assert(fc.asyncProperty(runs, both), oracleParameters(numRuns))
        expect(deferred).toBeGreaterThan(0)
      },
    )
  },
)
