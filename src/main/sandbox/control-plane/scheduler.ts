import { equalJson, objectsAt } from '../../../shared/json.ts'
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { asPod } from '../pod-strategy.ts'
import { fieldOf } from '../strategy.ts'
import { collectionPath, placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { fittingNodes } from './node-fit.ts'
import { NodeLoads } from './node-load.ts'
import type { CacheChange, WatchCache } from './watch-cache.ts'

type Causes = readonly number[]

function isWaiting(object: KubeObject): boolean {
  const pod = asPod(object)
  return (
    (pod.spec.nodeName ?? '') === '' &&
    pod.metadata.deletionTimestamp === undefined &&
    pod.status?.phase === 'Pending' &&
    pod.spec.schedulerName === 'default-scheduler' &&
    objectsAt(fieldOf(object, 'spec'), 'schedulingGates').length === 0
  )
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** What of a node decides which pods it takes. Source: pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange. */
function schedulingProperties({ metadata, spec, status }: Node): unknown {
  return [metadata.labels, spec?.unschedulable, spec?.taints, status?.allocatable]
}

function queueKey({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

function asNode(object: KubeObject): Node {
  return object as unknown as Node
}

/**
 * Binds pods without a node to one that takes them: the one with the fewest pods, then by name. What
 * no node takes waits for a change of a node or for a pod that ends or goes; what has scheduling gates
 * is not tried. It does not preempt. Source: pkg/scheduler (v1.34).
 */
export class Scheduler {
  readonly #client: ControlClient
  readonly #pods: WatchCache
  readonly #nodes: WatchCache
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  readonly #clock: Clock
  readonly #log: Log
  /** Those too that are bound by us and not yet seen bound: the cache is always a little behind. */
  readonly #loads = new NodeLoads()
  readonly #waiting = new Map<string, KubeObject>()
  readonly #assumed = new Set<string>()
  readonly #nodeProperties = new Map<string, unknown>()

  constructor(deps: {
    readonly client: ControlClient
    readonly pods: WatchCache
    readonly nodes: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    const { client, pods, nodes, clock, log } = deps
    this.#client = client
    this.#pods = pods
    this.#nodes = nodes
    this.#clock = clock
    this.#log = log
    this.#events = new EventWriter({ client, clock, log, component: 'default-scheduler' })
    this.#queue = new ControlQueue({ handle: (key, causes) => this.#schedule(key, causes), log })
    pods.listen((change) => {
      this.#onPod(change)
    })
    nodes.listen((change) => {
      this.#onNode(change)
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  #onPod({ type, object, causes }: CacheChange): void {
    const pod = asPod(object)
    const { uid } = pod.metadata
    const { nodeName = '' } = pod.spec
    if (type !== 'DELETED' && isWaiting(object)) {
      this.#waiting.set(uid, object)
      this.#queue.add(queueKey(object), causes)
      return
    }
    this.#waiting.delete(uid)
    this.#assumed.delete(uid)
    if (type !== 'DELETED' && nodeName !== '' && !hasEnded(pod)) this.#loads.put(nodeName, pod)
    else if (this.#loads.remove(uid)) this.#retry(causes)
  }

  #onNode({ type, object, causes }: CacheChange): void {
    const { name } = object.metadata
    if (type === 'DELETED') {
      this.#nodeProperties.delete(name)
      return
    }
    const before = this.#nodeProperties.get(name)
    const after = schedulingProperties(asNode(object))
    this.#nodeProperties.set(name, after)
    // Most changes of a node are heartbeats.
    if (!equalJson(before, after)) this.#retry(causes)
  }

  #retry(causes: Causes): void {
    for (const [uid, object] of this.#waiting)
      if (!this.#assumed.has(uid)) this.#queue.add(queueKey(object), causes)
  }

  async #schedule(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const object = this.#pods.get(namespace, name)
    if (object === undefined || !isWaiting(object)) return
    if (this.#assumed.has(object.metadata.uid)) return
    const nodes = this.#nodes.list().map((each) => {
      const node = asNode(each)
      return { node, load: this.#loads.of(node.metadata.name) }
    })
    const fitting = fittingNodes(asPod(object), nodes)
    if (!fitting.ok) {
      await this.#giveUp(object, fitting.error, causes)
      return
    }
    const [best] = fitting.value
      .map(({ node, load }) => ({ name: node.metadata.name, pods: load.pods.length }))
      .toSorted((a, b) => a.pods - b.pods || (a.name < b.name ? -1 : 1))
    if (best !== undefined) this.#assume(object, best.name, causes)
  }

  /** Counts the pod as bound and lets the binding take its time: the next pod need not wait for it. */
  #assume(object: KubeObject, nodeName: string, causes: Causes): void {
    this.#assumed.add(object.metadata.uid)
    this.#loads.put(nodeName, asPod(object))
    this.#bind(object, nodeName, causes).catch((error: unknown) => {
      this.#log.error('a binding failed', { name: object.metadata.name, error })
    })
  }

  async #bind(object: KubeObject, nodeName: string, causes: Causes): Promise<void> {
    const { namespace = '', name, uid } = object.metadata
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { kind: 'Node', name: nodeName },
    }
    const path = `${collectionPath('pods', namespace)}/${name}/binding`
    const bound = await this.#client.create(path, binding, causes)
    if (!bound.ok) {
      if (this.#assumed.delete(uid)) this.#loads.remove(uid)
      return
    }
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    await this.#events.write(object, { type: 'Normal', reason: 'Scheduled', message }, causes)
  }

  async #giveUp(object: KubeObject, message: string, causes: Causes): Promise<void> {
    const conditions = objectsAt(fieldOf(object, 'status'), 'conditions')
    const before = conditions.find(({ type }) => type === 'PodScheduled')
    if (before?.['message'] === message) return
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastTransitionTime: before?.['lastTransitionTime'] ?? apiTime(this.#clock.now()),
      reason: 'Unschedulable',
      message,
    }
    await this.#client.patch(
      placeOf('pods', object),
      { metadata: { uid: object.metadata.uid }, status: { conditions: [condition] } },
      { causes, subresource: '/status' },
    )
    await this.#events.write(
      object,
      { type: 'Warning', reason: 'FailedScheduling', message },
      causes,
    )
  }
}
