import type { Node, NodeCondition, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import { Controller, patchStatus } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { EventWriter } from './event-writer.ts'
import { wantedTaints } from './node-taints.ts'
import { repeat } from './work-queue.ts'

const monitorPeriodMs = 5000
const graceMs = 50_000
const startupGraceMs = 60_000

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
 * not ready as not ready, and keeps the taints of nodes in line with their conditions. api-server#missing-heartbeats;
 * pkg/controller/nodelifecycle (v1.34).
 */
export class NodeLifecycleController extends Controller {
  readonly #events: EventWriter
  readonly #stopMonitor: () => void
  readonly #health = new Map<string, NodeHealth>()
  /** UIDs of the nodes whose pods are marked as not ready. */
  readonly #notReady = new Set<string>()

  constructor(context: ControllerContext) {
    super(context)
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
      },
    })
  }

  override stop(): void {
    this.#stopMonitor()
    super.stop()
  }

  /** Sets the taints of a node. */
  protected async sync(name: string, causes: TraceCauses): Promise<void> {
    const { client, nodes, clock } = this.context
    const node = nodes.get('', name)
    if (node === undefined) return
    const taints = wantedTaints(node, toTimestamp(clock.now()))
    if (taints === undefined) return
    // With the resource version: taints that another client adds meanwhile must not be lost.
    const { resourceVersion } = node.metadata
    const body = { metadata: { resourceVersion }, spec: { taints } }
    await client.patch(addressOf('nodes', node), { type: 'strategic', body }, causes)
  }

  async #monitor(): Promise<void> {
    for (const node of this.context.nodes.list()) {
      const silentMs = this.context.clock.now() - this.#probedAt(node)
      const ready = conditionOf(node, 'Ready')
      const limit = ready === undefined ? startupGraceMs : graceMs
      if (silentMs > limit) await this.#markUnknown(node)
      await this.#markPodsNotReady(node, silentMs > limit ? 'Unknown' : ready?.status)
    }
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
