import type { Node, NodeCondition, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { ControlQueue, repeat } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { wantedTaints } from './node-taints.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

const monitorPeriodMs = 5000
const graceMs = 50_000
const startupGraceMs = 60_000

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const

/** What was last heard of a node, and when that changed. */
interface Heartbeat {
  readonly uid: string
  readonly sign: string
  readonly heardAt: number
}

interface NodeLifecycleDeps {
  readonly client: TransportApiClient
  readonly nodes: Informer<'nodes'>
  readonly leases: Informer<'leases'>
  readonly pods: PodInformer
  readonly clock: Clock
  readonly log: Log
}

function conditionOf(node: Node, type: string): NodeCondition | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)
}

/**
 * Watches over nodes: conditions turn Unknown when neither lease nor status came for 50 s, pods of a
 * node that is not ready are not ready, taints follow the conditions. api-server#missing-heartbeats;
 * pkg/controller/nodelifecycle (v1.34).
 */
export class NodeLifecycle {
  readonly #deps: NodeLifecycleDeps
  readonly #events: EventWriter
  readonly #taints: ControlQueue
  readonly #stopMonitor: () => void
  readonly #heartbeats = new Map<string, Heartbeat>()
  /** By uid: nodes whose pods have been told that it is not ready. */
  readonly #notReady = new Set<string>()

  constructor(deps: NodeLifecycleDeps) {
    this.#deps = deps
    const { nodes, clock, log } = deps
    this.#events = new EventWriter({ ...deps, component: 'node-controller' })
    const handle = (name: string, causes: Causes): Promise<void> => this.#taint(name, causes)
    this.#taints = new ControlQueue({ handle, clock, log })
    this.#stopMonitor = repeat(clock, monitorPeriodMs, () => this.#monitor(), log)
    const taint = ({ metadata }: Node, causes: Causes): void => {
      this.#taints.add(metadata.name, causes)
    }
    nodes.addEventHandler({
      onAdd: taint,
      onUpdate: taint,
      onDelete: (node) => {
        this.#forget(node)
      },
    })
  }

  stop(): void {
    this.#stopMonitor()
    this.#taints.stop()
  }

  #forget({ metadata }: Node): void {
    this.#heartbeats.delete(metadata.name)
    this.#notReady.delete(metadata.uid)
  }

  async #taint(name: string, causes: Causes): Promise<void> {
    const { client, nodes, clock } = this.#deps
    const node = nodes.get('', name)
    if (node === undefined) return
    const taints = wantedTaints(node, toTimestamp(clock.now()))
    if (taints === undefined) return
    // With the version that was looked at: somebody else's taints must not get lost.
    const { resourceVersion } = node.metadata
    const body = { metadata: { resourceVersion }, spec: { taints } }
    await client.patch(addressOf('nodes', node), { type: 'strategic', body }, causes)
  }

  async #monitor(): Promise<void> {
    for (const node of this.#deps.nodes.list()) {
      const silentMs = this.#deps.clock.now() - this.#heardAt(node)
      const ready = conditionOf(node, 'Ready')
      const limit = ready === undefined ? startupGraceMs : graceMs
      if (silentMs > limit) await this.#markUnknown(node)
      await this.#followReadiness(node, silentMs > limit ? 'Unknown' : ready?.status)
    }
  }

  /** When a sign of life last changed, as seen here: clocks of nodes are not trusted. */
  #heardAt(node: Node): number {
    const { name, uid } = node.metadata
    const lease = this.#deps.leases.get('kube-node-lease', name)
    const sign = `${lease?.spec?.renewTime ?? ''} ${conditionOf(node, 'Ready')?.lastHeartbeatTime ?? ''}`
    const before = this.#heartbeats.get(name)
    if (before?.uid === uid && before.sign === sign) return before.heardAt
    const heardAt = this.#deps.clock.now()
    this.#heartbeats.set(name, { uid, sign, heardAt })
    return heardAt
  }

  #unknown(node: Node, type: string): NodeCondition | undefined {
    const before = conditionOf(node, type)
    const now = toTimestamp(this.#deps.clock.now())
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
      .map((type) => this.#unknown(node, type))
      .filter((condition) => condition !== undefined)
    if (conditions.length === 0) return
    await this.#deps.client.patch(addressOf('nodes', node), {
      type: 'strategic',
      body: { metadata: { uid: node.metadata.uid }, status: { conditions } },
      subresource: 'status',
    })
  }

  async #followReadiness(node: Node, ready: NodeCondition['status'] | undefined) {
    const { uid, name } = node.metadata
    if (ready === 'True' || ready === undefined) {
      this.#notReady.delete(uid)
      return
    }
    if (this.#notReady.has(uid)) return
    this.#notReady.add(uid)
    const message = `Node ${name} status is now: NodeNotReady`
    await this.#events.write('nodes', node, { type: 'Normal', reason: 'NodeNotReady', message }, [])
    for (const pod of this.#deps.pods.byIndex('nodeName', name)) await this.#markPodNotReady(pod)
  }

  async #markPodNotReady(pod: Pod): Promise<void> {
    const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready')
    if (ready?.status !== 'True') return
    const condition = {
      type: 'Ready',
      status: 'False',
      lastTransitionTime: toTimestamp(this.#deps.clock.now()),
    }
    await this.#deps.client.patch(addressOf('pods', pod), {
      type: 'strategic',
      body: { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } },
      subresource: 'status',
    })
    const event = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const
    await this.#events.write('pods', pod, event, [])
  }
}
