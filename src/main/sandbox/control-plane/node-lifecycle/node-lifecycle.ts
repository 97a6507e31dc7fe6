import type {
  ConditionStatus,
  Node,
  NodeCondition,
  Pod,
  Taint,
} from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { toTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import { Controller, patchStatus } from '../controller.ts'
import type { ControllerContext } from '../controller.ts'
import { EventWriter } from '../event-writer.ts'
import { DisruptionZones } from './disruption-zones.ts'
import {
  evictionTaints,
  isEvicting,
  noScheduleTaints,
  notReadyKey,
  unreachableKey,
} from './node-taints.ts'
import { repeat } from '../work-queue.ts'
import { zoneKey } from '../../scheduler/cluster-cache.ts'
import { isCounted } from './zone-states.ts'
import type { ZoneCount } from './zone-states.ts'

const monitorPeriodMs = 5000
const graceMs = 50_000
const startupGraceMs = 60_000
/** NodeEvictionPeriod: when waiting nodes are looked at. */
const evictionPeriodMs = 100

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

/** The last heartbeat of a node, and when the controller saw it. */
interface NodeHealth {
  readonly uid: string
  /** The renew time of its lease and the heartbeat time of its Ready condition. */
  readonly heartbeat: string
  readonly probedAt: number
}

function conditionOf(node: Node, type: string): NodeCondition | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)
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
  /** UIDs of the nodes whose pods are marked as not ready. */
  readonly #notReady = new Set<string>()
  readonly #zones: DisruptionZones
  /** UIDs of the nodes that the controller has seen. */
  readonly #seen = new Set<string>()
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
        this.#health.delete(metadata.name)
        this.#notReady.delete(metadata.uid)
        this.#seen.delete(metadata.uid)
      },
    })
  }

  override stop(): void {
    this.#stopMonitor()
    this.#cancelRun()
    super.stop()
  }

  /** Sets the NoSchedule taints of a node. */
  protected async sync(name: string, causes: TraceCauses): Promise<void> {
    const { nodes, clock } = this.context
    const node = nodes.get('', name)
    if (node === undefined) return
    const taints = noScheduleTaints(node, toTimestamp(clock.now()))
    if (taints !== undefined) await this.#setTaints(node, taints, causes)
  }

  /** True if the server took them. */
  async #setTaints(node: Node, taints: readonly Taint[], causes: TraceCauses): Promise<boolean> {
    // With the resource version: taints that another client adds meanwhile must not be lost.
    const { resourceVersion } = node.metadata
    const body = { metadata: { resourceVersion }, spec: { taints } }
    const { client } = this.context
    const patched = await client.patch(
      addressOf('nodes', node),
      { type: 'strategic', body },
      causes,
    )
    return patched.ok
  }

  async #monitor(): Promise<void> {
    const nodes = this.context.nodes.list()
    const counts = new Map<string, ZoneCount>()
    for (const node of nodes) {
      this.#zones.queueOf(node)
      if (!this.#seen.has(node.metadata.uid)) {
        this.#seen.add(node.metadata.uid)
        await this.#setEviction(node.metadata.name, undefined)
      }
      const status = await this.#check(node)
      if (isCounted(node)) {
        const { ready, notReady } = counts.get(zoneKey(node)) ?? { ready: 0, notReady: 0 }
        const isReady = status === 'True'
        counts.set(zoneKey(node), {
          ready: ready + (isReady ? 1 : 0),
          notReady: notReady + (isReady ? 0 : 1),
        })
      }
      if (status !== undefined) await this.#queueEviction(node, status)
      await this.#markPodsNotReady(node, status)
    }
    await this.#onDisruption(this.#zones.update(counts), nodes)
    this.#runLater(evictionPeriodMs)
  }

  /** The status of the Ready condition, which is Unknown after too long a silence. */
  async #check(node: Node): Promise<ConditionStatus | undefined> {
    const silentMs = this.context.clock.now() - this.#probedAt(node)
    const ready = conditionOf(node, 'Ready')
    if (silentMs <= (ready === undefined ? startupGraceMs : graceMs)) return ready?.status
    await this.#markUnknown(node)
    return 'Unknown'
  }

  /** Source: processTaintBaseEviction, markNodeForTainting, markNodeAsReachable. */
  async #queueEviction(node: Node, status: ConditionStatus): Promise<void> {
    if (status === 'True') {
      await this.#setEviction(node.metadata.name, undefined)
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

  /** Sets or removes the NoExecute taint. True if there is nothing more to do. */
  async #setEviction(name: string, key: string | undefined): Promise<boolean> {
    const { nodes, clock } = this.context
    const node = nodes.get('', name)
    if (node === undefined) return true
    if (key === undefined) this.#zones.queueOf(node).remove(name)
    const taints = evictionTaints(node, key, toTimestamp(clock.now()))
    return taints === undefined || (await this.#setTaints(node, taints, []))
  }

  async #onDisruption(
    change: ReturnType<DisruptionZones['update']>,
    nodes: readonly Node[],
  ): Promise<void> {
    if (change === 'stopped')
      for (const { metadata } of nodes) await this.#setEviction(metadata.name, undefined)
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

  /** When the heartbeat of a node last changed, by the clock of the controller: it does not rely on the clocks of nodes. */
  #probedAt(node: Node): number {
    const { name, uid } = node.metadata
    const lease = this.context.leases.get('kube-node-lease', name)
    const heartbeat = `${lease?.spec?.renewTime ?? ''} ${conditionOf(node, 'Ready')?.lastHeartbeatTime ?? ''}`
    const before = this.#health.get(name)
    if (before?.uid === uid && before.heartbeat === heartbeat) return before.probedAt
    const probedAt = this.context.clock.now()
    this.#health.set(name, { uid, heartbeat, probedAt })
    return probedAt
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

  async #markUnknown(node: Node): Promise<void> {
    const conditions = watchedConditions
      .map((type) => this.#unknownCondition(node, type))
      .filter((condition) => condition !== undefined)
    if (conditions.length === 0) return
    await patchStatus(this.context.client, 'nodes', node, { conditions })
  }

  async #markPodsNotReady(node: Node, ready: NodeCondition['status'] | undefined) {
    const { uid, name } = node.metadata
    if (ready === 'True' || ready === undefined) {
      this.#notReady.delete(uid)
      return
    }
    if (this.#notReady.has(uid)) return
    this.#notReady.add(uid)
    const message = `Node ${name} status is now: NodeNotReady`
    await this.#events.write('nodes', node, { type: 'Normal', reason: 'NodeNotReady', message }, [])
    for (const pod of this.context.pods.byIndex('nodeName', name)) await this.#markPodNotReady(pod)
  }

  async #markPodNotReady(pod: Pod): Promise<void> {
    const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready')
    if (ready?.status !== 'True') return
    const condition = {
      type: 'Ready',
      status: 'False',
      lastTransitionTime: toTimestamp(this.context.clock.now()),
    }
    await patchStatus(this.context.client, 'pods', pod, { conditions: [condition] })
    const event = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const
    await this.#events.write('pods', pod, event, [])
  }
}
