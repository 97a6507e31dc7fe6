import { fakeAllocations } from '../../../src/main/kubelet/allocation/fake-allocations.ts'
import { fakeResizeConditions } from '../../../src/main/kubelet/status/fake-status-manager.ts'
import { nodeClockHost } from '../../../src/main/clock/node-clock-host.ts'
import { VirtualClock } from '../../../src/main/clock/virtual-clock.ts'
import { FakeLog } from '../../../src/main/kubelet/container/fake-log.ts'
import { FakeTrace } from '../../../src/main/kubelet/container/fake-trace.ts'
import type { PodRuntimeStatus } from '../../../src/main/kubelet/container/runtime.ts'
import { PodCleanups } from '../../../src/main/kubelet/pod-cleanups.ts'
import { PodHandlers } from '../../../src/main/kubelet/pod-handlers.ts'
import { fullNameOf } from '../../../src/main/kubelet/pod/identity.ts'
import type { MirrorClient } from '../../../src/main/kubelet/pod/mirror-client.ts'
import { MirrorReconciler } from '../../../src/main/kubelet/pod/mirror-reconciler.ts'
import { PodManager } from '../../../src/main/kubelet/pod/pod-manager.ts'
import { StaticPodRegistration } from '../../../src/main/kubelet/pod/static-pod-registration.ts'
import type { EventRecorder } from '../../../src/main/kubelet/ports.ts'
import type { StatusManagerApi } from '../../../src/main/kubelet/status/status-manager-api.ts'
import type { UpdatePodOptions } from '../../../src/main/kubelet/workers/update-pod-options.ts'
import type { Node, Pod } from '../../../src/shared/kubernetes/objects.ts'
import { err, ok } from '../../../src/shared/result.ts'
import type { Handling, PodState, Registering, World } from './random-handlings.ts'

/** A call of a part that the test replaces, in the format of nodescope_handlers.go. */
export type Call = Readonly<Record<string, unknown>> & { readonly call: string }

/** The effects of one operation. */
export interface Handled {
  readonly calls: readonly Call[]
  /** Versions of the pods that the pod manager has then. */
  readonly pods: readonly string[]
  readonly mirrors: readonly string[]
}

const now = 5000
const down = { kind: 'failed', message: 'runtime is down' } as const
const unasked = (): never => {
  throw new Error('an unexpected call')
}

function versionOf(pod: Pod | undefined): string {
  return pod?.metadata.resourceVersion ?? ''
}

function versionsOf(pods: readonly Pod[]): readonly string[] {
  return pods.map(versionOf).toSorted()
}

/** Nodescope's handlers and housekeeping with its pod manager; the other parts are fakes that record their calls. */
export class OurHandlers {
  readonly #podManager = new PodManager({ trace: new FakeTrace() })
  readonly #handlers: PodHandlers
  readonly #cleanups: PodCleanups
  #world: World | undefined
  #calls: Call[] = []

  constructor() {
    const shared = {
      podManager: this.#podManager,
      podWorkers: this.#podWorkers(),
      statusManager: this.#statusManager(),
      clock: { now: () => now, after: unasked },
      trace: new FakeTrace(),
      log: new FakeLog(),
    }
    this.#handlers = new PodHandlers({
      ...shared,
      podCache: { get: (uid) => this.#statusOf(uid), getNewerThan: unasked },
      runtime: {
        deleteContainersInPod: ({ uid }, died) => {
          // Go's asks for nothing where there is nothing.
          if (this.#says.dead.includes(uid))
            this.#record({ call: 'deleteContainers', uid, all: died === undefined })
          return Promise.resolve()
        },
      },
      sourcesReady: { addSource: unasked, allReady: () => this.#says.sourcesReady },
      allocations: fakeAllocations([
        {
          admit: (pod, others) => {
            this.#record({ call: 'admit', pod: versionOf(pod), others: versionsOf(others) })
            return this.#says.refusals[pod.metadata.uid]
          },
        },
      ]),
      recorder: this.#events(),
    })
    this.#cleanups = new PodCleanups({
      ...shared,
      prober: { cleanupPods: () => undefined },
      allocations: fakeAllocations(),
      mirrorClient: {
        createMirrorPod: unasked,
        deleteMirrorPod: (fullName, { uid = null }) => {
          this.#record({ call: 'deleteMirrorPod', fullName, uid })
          return Promise.resolve(ok(true))
        },
      },
      runtime: { getPods: () => Promise.resolve(this.#running()) },
      crashLoopBackOff: {
        collectGarbage: () => {
          this.#record({ call: 'collectGarbage' })
        },
      },
    })
  }

  async take({ kind, pods, world }: Handling): Promise<Handled> {
    this.#world = world
    this.#calls = []
    await this.#handle(
      kind,
      pods.map((pod) => ({ pod, causes: [] })),
    )
    const { allPods, allMirrorPods } = this.#podManager.getPodsAndMirrorPods()
    return { calls: this.#calls, pods: versionsOf(allPods), mirrors: versionsOf(allMirrorPods) }
  }

  async #handle(
    kind: Handling['kind'],
    pods: readonly { readonly pod: Pod; readonly causes: readonly number[] }[],
  ): Promise<void> {
    switch (kind) {
      case 'additions':
        await this.#handlers.handlePodAdditions(pods, [])
        return
      case 'updates':
        await this.#handlers.handlePodUpdates(pods, [])
        return
      case 'removes':
        await this.#handlers.handlePodRemoves(pods, [])
        return
      case 'reconcile':
        await this.#handlers.handlePodReconcile(pods, [])
        return
      case 'syncs':
        this.#handlers.handlePodSyncs(
          pods.map(({ pod }) => pod),
          [],
        )
        return
      case 'died': {
        const uid = pods[0]?.pod.metadata.uid ?? ''
        this.#handlers.cleanUpContainersInPod(uid, `${uid}/0`, [])
        return
      }
      case 'cleanups':
        await this.#cleanups.run()
    }
  }

  get #says(): World {
    if (this.#world === undefined) throw new Error('nothing was handed over yet')
    return this.#world
  }

  #record(call: Call): void {
    this.#calls.push(call)
  }

  #stateOf(uid: string): PodState | undefined {
    return this.#says.states[uid]
  }

  #podWorkers() {
    return {
      updatePod: (update: UpdatePodOptions) => {
        const { updateType, pod, mirrorPod, runningPod, startTime, killPodOptions } = update
        this.#record({
          call: 'updatePod',
          updateType,
          pod: versionOf(pod),
          mirrorPod: versionOf(mirrorPod),
          runningPod: runningPod?.uid ?? '',
          startTime: startTime ?? null,
          grace: killPodOptions?.gracePeriodSecondsOverride ?? null,
        })
      },
      syncKnownPods: (desired: readonly Pod[]) => {
        this.#record({ call: 'syncKnownPods', pods: versionsOf(desired) })
        const state = { state: 'sync', orphan: false, hasConfig: true, static: false } as const
        return new Map(this.#says.working.map((uid) => [uid, state] as const))
      },
      isPodKnownTerminated: (uid: string) => this.#stateOf(uid)?.knownTerminated ?? false,
      isPodTerminationRequested: (uid: string) => this.#stateOf(uid)?.terminationRequested ?? false,
      shouldPodContentBeRemoved: (uid: string) => this.#says.removable.includes(uid),
      isPodForMirrorPodTerminatingByFullName: (fullName: string) =>
        this.#says.terminatingFullNames.includes(fullName),
    }
  }

  #statusManager(): StatusManagerApi {
    return {
      resizeConditions: fakeResizeConditions(),
      getPodStatus: (uid) => this.#stateOf(uid)?.cached ?? undefined,
      setPodStatus: (pod, status) => {
        this.#record({ call: 'setPodStatus', pod: versionOf(pod), status })
        return false
      },
      removeOrphanedStatuses: (uids) => {
        this.#record({ call: 'removeOrphanedStatuses', uids: [...uids].toSorted() })
      },
      setContainerReadiness: unasked,
      setContainerStartup: unasked,
      terminatePod: unasked,
      versions: unasked,
    }
  }

  #events(): EventRecorder {
    return {
      event: (subject, type, reason, message) => {
        const pod = subject.kind === 'pod' ? versionOf(subject.pod) : ''
        this.#record({ call: 'event', pod, type, reason, message })
      },
    }
  }

  #statusOf(uid: string) {
    if (this.#says.unread.includes(uid)) return err(down)
    const status: PodRuntimeStatus = {
      uid,
      name: '',
      namespace: '',
      ips: [],
      sandboxes: [],
      containers: [],
    }
    return ok(status)
  }

  #running() {
    const { running, runtimeFails } = this.#says
    if (runtimeFails !== '') return err(down)
    return ok(running.map((pod) => ({ ...pod, createdAt: 0, containers: [], sandboxes: [] })))
  }
}

/** The calls of Nodescope's registration in the first second after the start. */
export async function ourRegistration({
  pods,
  nodeAt,
  isDeleting,
  kept,
}: Registering): Promise<readonly Call[]> {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const calls: Call[] = []
  const trace = new FakeTrace()
  const podManager = new PodManager({ trace })
  podManager.setPods([...pods], [])
  const node: Node = {
    metadata: {
      name: 'node',
      uid: 'node-uid',
      ...(isDeleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
  }
  const nodeLister = {
    get: () => (nodeAt === null || clock.now() < nodeAt ? undefined : node),
    hasSynced: () => true,
  }
  const mirrorClient: MirrorClient = {
    createMirrorPod: (pod) => {
      const fullName = fullNameOf(pod)
      calls.push({ call: 'createMirrorPod', fullName, pod: versionOf(pod), at: clock.now() })
      return Promise.resolve(ok(undefined))
    },
    deleteMirrorPod: (fullName, { uid = null }) => {
      calls.push({ call: 'deleteMirrorPod', fullName, uid, at: clock.now() })
      return Promise.resolve(ok(!kept.includes(fullName)))
    },
  }
  const registration = new StaticPodRegistration({
    nodeLister,
    podManager,
    mirrorReconciler: new MirrorReconciler({
      mirrorClient,
      nodeLister,
      trace,
      log: new FakeLog(),
    }),
    clock,
  })
  registration.start([])
  await clock.advance(1000)
  registration.stop()
  return calls
}
