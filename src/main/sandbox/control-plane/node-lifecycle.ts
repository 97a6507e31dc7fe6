import { objectAt, textAt } from '../../../shared/json.ts'
import type { KubeObject, Node, NodeCondition } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { asPod } from '../pod-strategy.ts'
import { placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue, repeat } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { wantedTaints } from './node-taints.ts'
import type { WatchCache } from './watch-cache.ts'

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

function asNode(object: KubeObject): Node {
  return object as unknown as Node
}

function conditionOf(node: Node, type: string): NodeCondition | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)
}

/**
 * Watches over nodes: conditions turn Unknown when neither lease nor status came for 50 s, pods of a
 * node that is not ready are not ready, taints follow the conditions. Semantics 9.5;
 * pkg/controller/nodelifecycle (v1.34).
 */
export class NodeLifecycle {
  readonly #client: ControlClient
  readonly #nodes: WatchCache
  readonly #leases: WatchCache
  readonly #pods: WatchCache
  readonly #clock: Clock
  readonly #events: EventWriter
  readonly #taints: ControlQueue
  readonly #stopMonitor: () => void
  readonly #heartbeats = new Map<string, Heartbeat>()
  /** By uid: nodes whose pods have been told that it is not ready. */
  readonly #notReady = new Set<string>()

  constructor(deps: {
    readonly client: ControlClient
    readonly nodes: WatchCache
    readonly leases: WatchCache
    readonly pods: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    const { client, nodes, leases, pods, clock, log } = deps
    this.#client = client
    this.#nodes = nodes
    this.#leases = leases
    this.#pods = pods
    this.#clock = clock
    this.#events = new EventWriter({ client, clock, log, component: 'node-controller' })
    this.#taints = new ControlQueue({ handle: (name, causes) => this.#taint(name, causes), log })
    this.#stopMonitor = repeat(clock, monitorPeriodMs, () => this.#monitor(), log)
    nodes.listen(({ type, object, causes }) => {
      if (type === 'DELETED') this.#forget(object)
      else this.#taints.add(object.metadata.name, causes)
    })
  }

  stop(): void {
    this.#stopMonitor()
    this.#taints.stop()
  }

  #forget({ metadata }: KubeObject): void {
    this.#heartbeats.delete(metadata.name)
    this.#notReady.delete(metadata.uid)
  }

  async #taint(name: string, causes: Causes): Promise<void> {
    const object = this.#nodes.get('', name)
    if (object === undefined) return
    const node = asNode(object)
    const taints = wantedTaints(node, apiTime(this.#clock.now()))
    if (taints === undefined) return
    // With the version that was looked at: somebody else's taints must not get lost.
    const { resourceVersion } = object.metadata
    await this.#client.patch(
      placeOf('nodes', object),
      { metadata: { resourceVersion }, spec: { taints } },
      { causes },
    )
  }

  async #monitor(): Promise<void> {
    for (const object of this.#nodes.list()) {
      const node = asNode(object)
      const silentMs = this.#clock.now() - this.#heardAt(node)
      const ready = conditionOf(node, 'Ready')
      const limit = ready === undefined ? startupGraceMs : graceMs
      if (silentMs > limit) await this.#markUnknown(object)
      await this.#followReadiness(object, silentMs > limit ? 'Unknown' : ready?.status)
    }
  }

  /** When a sign of life last changed, as seen here: clocks of nodes are not trusted. */
  #heardAt(node: Node): number {
    const { name, uid } = node.metadata
    const lease = this.#leases.get('kube-node-lease', name)
    const renewed = lease === undefined ? '' : textAt(objectAt({ ...lease }, 'spec'), 'renewTime')
    const sign = `${renewed} ${conditionOf(node, 'Ready')?.lastHeartbeatTime ?? ''}`
    const before = this.#heartbeats.get(name)
    if (before?.uid === uid && before.sign === sign) return before.heardAt
    const heardAt = this.#clock.now()
    this.#heartbeats.set(name, { uid, sign, heardAt })
    return heardAt
  }

  #unknown(node: Node, type: string): NodeCondition | undefined {
    const before = conditionOf(node, type)
    const now = apiTime(this.#clock.now())
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

  async #markUnknown(object: KubeObject): Promise<void> {
    const node = asNode(object)
    const conditions = watchedConditions
      .map((type) => this.#unknown(node, type))
      .filter((condition) => condition !== undefined)
    if (conditions.length === 0) return
    await this.#client.patch(
      placeOf('nodes', object),
      { metadata: { uid: object.metadata.uid }, status: { conditions } },
      { causes: [], subresource: '/status' },
    )
  }

  async #followReadiness(object: KubeObject, ready: NodeCondition['status'] | undefined) {
    const { uid, name } = object.metadata
    if (ready === 'True' || ready === undefined) {
      this.#notReady.delete(uid)
      return
    }
    if (this.#notReady.has(uid)) return
    this.#notReady.add(uid)
    const message = `Node ${name} status is now: NodeNotReady`
    await this.#events.write(object, { type: 'Normal', reason: 'NodeNotReady', message }, [])
    for (const pod of this.#pods.list()) {
      if (asPod(pod).spec.nodeName === name) await this.#markPodNotReady(pod)
    }
  }

  async #markPodNotReady(pod: KubeObject): Promise<void> {
    const ready = asPod(pod).status?.conditions?.find((condition) => condition.type === 'Ready')
    if (ready?.status !== 'True') return
    const condition = {
      type: 'Ready',
      status: 'False',
      lastTransitionTime: apiTime(this.#clock.now()),
    }
    await this.#client.patch(
      placeOf('pods', pod),
      { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } },
      { causes: [], subresource: '/status' },
    )
    const event = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' } as const
    await this.#events.write(pod, event, [])
  }
}
