import type {
  ConditionStatus,
  Node,
  NodeCondition,
  Pod,
  Taint,
} from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { fromTimestamp, toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import { Controller, patchStatus } from '../controller.ts'
import type { ControllerContext } from '../controller.ts'
import { EventWriter } from '../event-writer.ts'
import { DisruptionZones } from './disruption-zones.ts'
import {
  evictionKeys,
  evictionTaints,
  isEvicting,
  noScheduleTaints,
  notReadyKey,
  unreachableKey,
  withoutEviction,
} from './node-taints.ts'
import { WorkQueue, repeat } from '../work-queue.ts'
import { zoneKey } from '../../scheduler/cluster-cache.ts'
import { isCounted } from './zone-states.ts'
import type { ZoneCount } from './zone-states.ts'

const monitorPeriodMs = 5000
const graceMs = 50_000
const startupGraceMs = 60_000
/** updateTaintBackoff. */
const updateTaintSteps = 5
/** NodeEvictionPeriod: when waiting nodes are looked at. */
const evictionPeriodMs = 100

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

/** What the controller last saw of a node (nodeHealthData). */
interface NodeHealth {
  readonly ready: NodeCondition | undefined
  /** When it saw a sign of life, in ms. */
  readonly probedAt: number
  /** Of its lease, in ms; undefined: none was seen since its Ready condition has this heartbeat. */
  readonly renewedAt: number | undefined
}

function conditionOf(node: Node, type: string): NodeCondition | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)
}

function isSameHeartbeat(one: NodeCondition, other: NodeCondition | undefined): boolean {
  return one.lastHeartbeatTime === other?.lastHeartbeatTime
}

/**
 * Sets the conditions of a node to Unknown after 50 s without a lease renewal and a status, marks the pods of a node that is
 * not ready as not ready, and keeps the taints of nodes in line with their conditions: NoSchedule at once, NoExecute at the rate
 * of the node's zone, and none while no node of the cluster is Ready. api-server#missing-heartbeats;
 * pkg/controller/nodelifecycle (v1.34).
 */
export class NodeLifecycleController extends Controller {
  readonly #events: EventWriter
  readonly #stopMonitor: () => void
  readonly #health = new Map<string, NodeHealth>()
  /** Names of the nodes not all of whose pods could be marked as not ready. */
  readonly #toRetry = new Set<string>()
  /** Pods that are new on a node. */
  readonly #podQueue: WorkQueue
  readonly #zones: DisruptionZones
  /** By name: those of its last look. */
  readonly #known = new Map<string, Node>()
  #cancelRun: () => void = () => undefined

  constructor(context: ControllerContext) {
    super(context)
    this.#zones = new DisruptionZones(context.clock)
    this.#events = new EventWriter({ ...context, component: 'node-controller' })
    this.#stopMonitor = repeat(context, monitorPeriodMs, () => this.#monitor())
    const enqueue = ({ metadata }: Node, causes: TraceCauses): void => {
      this.queue.add(metadata.name, causes)
    }
    context.nodes.addEventHandler({
      onAdd: enqueue,
      onUpdate: enqueue,
      onDelete: ({ metadata }) => {
        this.#toRetry.delete(metadata.name)
      },
    })
    this.#podQueue = new WorkQueue({ ...context, handle: (key) => this.#onNewPod(key) })
    const onPod = (pod: Pod, before?: Pod): void => {
      const { nodeName = '' } = pod.spec
      if (nodeName !== '' && nodeName !== before?.spec.nodeName)
        this.#podQueue.add(objectKey(pod.metadata), [])
    }
    context.pods.addEventHandler({
      onAdd: (pod) => {
        onPod(pod)
      },
      onUpdate: (pod, _, before) => {
        onPod(pod, before)
      },
    })
  }

  override stop(): void {
    this.#stopMonitor()
    this.#cancelRun()
    this.#podQueue.stop()
    super.stop()
  }

  /** Sets the NoSchedule taints of a node. */
  protected async sync(name: string, causes: TraceCauses): Promise<void> {
    const node = this.context.nodes.get('', name)
    if (node !== undefined) await this.#setTaints(node, noScheduleTaints, causes)
  }

  /** True if the node has them. Source: pkg/controller/util/node SwapNodeControllerTaint. */
  async #setTaints(
    seen: Node,
    taintsOf: (node: Node, now: string) => readonly Taint[] | undefined,
    causes: TraceCauses,
  ): Promise<boolean> {
    const { client, clock } = this.context
    let node = seen
    for (let attempt = 0; attempt < updateTaintSteps; attempt++) {
      const taints = taintsOf(node, toTimestamp(clock.now()))
      if (taints === undefined) return true
      // With the resource version: taints that another client adds meanwhile must not be lost.
      const { resourceVersion } = node.metadata
      const body = { metadata: { resourceVersion }, spec: { taints } }
      const patch = { type: 'strategic', body } as const
      const patched = await client.patch(addressOf('nodes', node), patch, causes)
      if (patched.ok) return true
      if (patched.error.kind !== 'conflict') return false
      const now = await client.get({ resource: 'nodes', name: node.metadata.name })
      if (!now.ok) return false
      node = now.value
    }
    return false
  }

  async #monitor(): Promise<void> {
    const nodes = this.context.nodes.list()
    const counts = new Map<string, ZoneCount>()
    await this.#classify(nodes)
    for (const node of nodes) {
      this.#zones.queueOf(node)
      const looked = await this.#check(node)
      if (looked === undefined) continue
      const { status, isNewlySilent } = looked
      if (isCounted(node)) {
        const { ready, notReady } = counts.get(zoneKey(node)) ?? { ready: 0, notReady: 0 }
        const isReady = status === 'True'
        counts.set(zoneKey(node), {
          ready: ready + (isReady ? 1 : 0),
          notReady: notReady + (isReady ? 0 : 1),
        })
      }
      if (status === undefined) continue
      await this.#queueEviction(node, status)
      await this.#onStatus(node, { status, isNewlySilent })
    }
    await this.#onDisruption(this.#zones.update(counts), nodes)
    this.#runLater(evictionPeriodMs)
  }

  /** Source: classifyNodes, and what monitorNodeHealth does with nodes that came or went. */
  async #classify(nodes: readonly Node[]): Promise<void> {
    for (const node of nodes) {
      const { name } = node.metadata
      if (this.#known.has(name)) continue
      this.#record(node, 'RegisteredNode', `event: Registered Node ${name} in Controller`)
      this.#known.set(name, node)
      await this.#markReachable(node)
    }
    const names = new Set(nodes.map(({ metadata }) => metadata.name))
    for (const [name, node] of this.#known) {
      if (names.has(name)) continue
      this.#record(node, 'RemovingNode', `event: Removing Node ${name} from Controller`)
      this.#known.delete(name)
    }
  }

  #record(node: Node, reason: string, what: string): void {
    const message = `Node ${node.metadata.name} ${what}`
    this.#tell('nodes', node, { type: 'Normal', reason, message })
  }

  /** No look waits for its events. */
  #tell(
    resource: 'nodes' | 'pods',
    object: Node | Pod,
    event: Parameters<EventWriter['write']>[2],
  ): void {
    this.#events.write(resource, object, event, []).catch((error: unknown) => {
      this.context.log.error('an event was not written', { error })
    })
  }

  /**
   * The status of the Ready condition, which is Unknown after too long a silence; undefined if that could not be written.
   * `isNewlySilent`: it was True before.
   */
  async #check(node: Node) {
    const health = this.#probe(node)
    const ready = conditionOf(node, 'Ready')
    const silentMs = this.context.clock.now() - health.probedAt
    // A real controller takes time for each look, so that the tenth is later than 50 s after the first.
    if (silentMs < (ready === undefined ? startupGraceMs : graceMs))
      return { status: ready?.status, isNewlySilent: false }
    const unknown = this.#unknownCondition(node, 'Ready')
    if (unknown !== undefined) {
      if (!(await this.#markUnknown(node))) return undefined
      this.#health.set(node.metadata.name, { ...health, ready: unknown })
    }
    return { status: 'Unknown' as const, isNewlySilent: ready?.status === 'True' }
  }

  /** Source: processTaintBaseEviction, markNodeForTainting, markNodeAsReachable. */
  async #queueEviction(node: Node, status: ConditionStatus): Promise<void> {
    if (status === 'True') {
      await this.#markReachable(node)
      return
    }
    const [key, opposite] =
      status === 'False' ? [notReadyKey, unreachableKey] : [unreachableKey, notReadyKey]
    if (isEvicting(node, opposite)) {
      await this.#setEviction(node.metadata.name, key)
      return
    }
    const queue = this.#zones.queueOf(node)
    if (!isEvicting(node, key)) queue.remove(node.metadata.name)
    queue.add(node.metadata.name)
  }

  /** Sets the NoExecute taint. True if there is nothing more to do. */
  async #setEviction(name: string, key: string): Promise<boolean> {
    const node = this.context.nodes.get('', name)
    if (node === undefined) return true
    return await this.#setTaints(node, (of, now) => evictionTaints(of, key, now), [])
  }

  /**
   * Removes the NoExecute taints that the node had when the look began: one that this look has put in place of the other stays.
   * Source: markNodeAsReachable.
   */
  async #markReachable(seen: Node): Promise<void> {
    this.#zones.queueOf(seen).remove(seen.metadata.name)
    const keys = evictionKeys(seen)
    const node = this.context.nodes.get('', seen.metadata.name)
    if (keys.length === 0 || node === undefined) return
    await this.#setTaints(node, (of) => withoutEviction(of, keys), [])
  }

  async #onDisruption(
    change: ReturnType<DisruptionZones['update']>,
    nodes: readonly Node[],
  ): Promise<void> {
    if (change === 'stopped') for (const node of nodes) await this.#markReachable(node)
    if (change !== 'resumed') return
    const probedAt = this.context.clock.now()
    for (const [name, health] of this.#health) this.#health.set(name, { ...health, probedAt })
  }

  #runLater(delayMs: number): void {
    this.#cancelRun()
    const isWaiting = this.#zones.queues().some(({ isEmpty }) => !isEmpty)
    if (!isWaiting || delayMs === Infinity) return
    this.#cancelRun = this.context.clock.after(delayMs, () => {
      this.#runQueues().catch((error: unknown) => {
        this.context.log.error('a node was not tainted', { error })
      })
    })
  }

  /** Source: doNoExecuteTaintingPass. */
  async #runQueues(): Promise<void> {
    const queues = this.#zones.queues().filter(({ isEmpty }) => !isEmpty)
    for (const queue of queues) await queue.run((name) => this.#evictPods(name))
    const waits = queues.filter(({ isEmpty }) => !isEmpty).map(({ waitMs }) => waitMs)
    this.#runLater(Math.max(evictionPeriodMs, Math.min(Infinity, ...waits)))
  }

  async #evictPods(name: string): Promise<boolean> {
    const node = this.context.nodes.get('', name)
    if (node === undefined) return true
    const status = conditionOf(node, 'Ready')?.status
    if (status === undefined) return false
    if (status === 'True') return true
    return await this.#setEviction(name, status === 'False' ? notReadyKey : unreachableKey)
  }

  /**
   * A node gives a sign of life by its Ready condition or its lease; the clock is the controller's, which does not rely on the clocks
   * of nodes. Source: tryUpdateNodeHealth. As there, a new heartbeat of the condition makes it forget the lease: the look after it
   * takes a lease that was not renewed for a sign of life.
   */
  #probe(node: Node): NodeHealth {
    const { name, creationTimestamp } = node.metadata
    const now = this.context.clock.now()
    const ready = conditionOf(node, 'Ready')
    const saved = this.#health.get(name)
    const { spec } = this.context.leases.get('kube-node-lease', name) ?? {}
    const renewedAt = fromTimestamp(spec?.renewTime)
    const isSame = saved?.ready !== undefined && isSameHeartbeat(saved.ready, ready)
    let health: NodeHealth = isSame ? saved : { ready, probedAt: now, renewedAt: undefined }
    if (ready === undefined) {
      const { probedAt = fromTimestamp(creationTimestamp) ?? now, renewedAt: before } = saved ?? {}
      health = { ready, probedAt, renewedAt: before }
    }
    const isRenewed = saved?.renewedAt === undefined || saved.renewedAt < (renewedAt ?? 0)
    if (renewedAt !== undefined && isRenewed) health = { ...health, probedAt: now, renewedAt }
    this.#health.set(name, health)
    return health
  }

  #unknownCondition(node: Node, type: string): NodeCondition | undefined {
    const before = conditionOf(node, type)
    const now = toTimestamp(this.context.clock.now())
    if (before === undefined) {
      const { creationTimestamp } = node.metadata
      return {
        type,
        status: 'Unknown',
        ...(creationTimestamp === undefined ? {} : { lastHeartbeatTime: creationTimestamp }),
        lastTransitionTime: now,
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
      }
    }
    if (before.status === 'Unknown') return undefined
    return {
      ...before,
      status: 'Unknown',
      lastTransitionTime: now,
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    }
  }

  /** True if the server took it. */
  async #markUnknown(node: Node): Promise<boolean> {
    const conditions = watchedConditions
      .map((type) => this.#unknownCondition(node, type))
      .filter((condition) => condition !== undefined)
    const { ok } = await patchStatus(this.context.client, 'nodes', node, { conditions })
    return ok
  }

  /**
   * Marks the pods of a node that has fallen silent as not ready. Those of a node that says itself that it is not ready stay as
   * they are. Source: monitorNodeHealth.
   */
  async #onStatus(
    node: Node,
    {
      status,
      isNewlySilent,
    }: { readonly status: ConditionStatus; readonly isNewlySilent: boolean },
  ): Promise<void> {
    const { name } = node.metadata
    const isToRetry = this.#toRetry.delete(name) && status !== 'True'
    if (isNewlySilent) this.#record(node, 'NodeNotReady', 'status is now: NodeNotReady')
    if (!isNewlySilent && !isToRetry) return
    for (const pod of this.context.pods.byIndex('nodeName', name))
      if (!(await this.#markPodNotReady(pod))) this.#toRetry.add(name)
  }

  /** A pod that is bound to a node that is not ready, or was when the controller last saw its conditions. Source: processPod. */
  async #onNewPod(key: string): Promise<void> {
    const { pods, nodes } = this.context
    const [namespace = '', name = ''] = key.split('/')
    const pod = pods.get(namespace, name)
    const { nodeName = '' } = pod?.spec ?? {}
    const status = this.#health.get(nodeName)?.ready?.status
    if (pod === undefined || status === undefined || status === 'True') return
    const isDone = nodes.get('', nodeName) !== undefined && (await this.#markPodNotReady(pod))
    if (!isDone) this.#podQueue.addRateLimited(key, [])
  }

  /** False if it is to be tried again. Source: MarkPodsNotReady. */
  async #markPodNotReady(pod: Pod): Promise<boolean> {
    const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready')
    if (ready === undefined || ready.status === 'False') return true
    const condition = {
      type: 'Ready',
      status: 'False',
      lastTransitionTime: toTimestamp(this.context.clock.now()),
    }
    const patched = await patchStatus(this.context.client, 'pods', pod, { conditions: [condition] })
    if (!patched.ok && patched.error.kind === 'not-found') return true
    const event = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const
    this.#tell('pods', pod, event)
    return patched.ok
  }
}
