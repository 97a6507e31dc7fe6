import { objectsAt } from '../../../shared/json.ts'
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { asPod } from '../pod-strategy.ts'
import { fieldOf } from '../strategy.ts'
import { collectionPath, placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { misfitMessage, nodeMisfit } from './node-fit.ts'
import type { Misfit } from './node-fit.ts'
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

function isRunningOn(pod: Pod, nodeName: string): boolean {
  const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  return pod.spec.nodeName === nodeName && !hasEnded
}

function asNode(object: KubeObject): Node {
  return object as unknown as Node
}

/**
 * Binds pods without a node to one that takes them: the one with the fewest pods, then by name. What
 * no node takes waits for a change of a node or for a pod that goes. Source: pkg/scheduler (v1.34).
 */
export class Scheduler {
  readonly #client: ControlClient
  readonly #pods: WatchCache
  readonly #nodes: WatchCache
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  readonly #clock: Clock
  readonly #log: Log
  /** Bound by us, but not yet seen bound: the cache is always a little behind. */
  readonly #assumed = new Map<string, string>()

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
      if (change.type !== 'DELETED') this.#retry(change.causes)
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  #onPod({ type, object, causes }: CacheChange): void {
    const { namespace = '', name, uid } = object.metadata
    if (type === 'DELETED' || !isWaiting(object)) this.#assumed.delete(uid)
    if (type === 'DELETED') this.#retry(causes)
    else if (isWaiting(object)) this.#queue.add(`${namespace}/${name}`, causes)
  }

  #retry(causes: Causes): void {
    for (const object of this.#pods.list()) {
      const { namespace = '', name, uid } = object.metadata
      if (isWaiting(object) && !this.#assumed.has(uid))
        this.#queue.add(`${namespace}/${name}`, causes)
    }
  }

  async #schedule(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const object = this.#pods.get(namespace, name)
    if (object === undefined || !isWaiting(object)) return
    if (this.#assumed.has(object.metadata.uid)) return
    const chosen = this.#choose(asPod(object))
    if (typeof chosen === 'string') this.#assume(object, chosen, causes)
    else await this.#giveUp(object, misfitMessage(chosen), causes)
  }

  #podsOn(nodeName: string): readonly Pod[] {
    return this.#pods
      .list()
      .map(asPod)
      .filter(
        (pod) => isRunningOn(pod, nodeName) || this.#assumed.get(pod.metadata.uid) === nodeName,
      )
  }

  /** The node, or why none fits. */
  #choose(pod: Pod): string | readonly Misfit[] {
    const misfits: Misfit[] = []
    const fitting: { readonly name: string; readonly pods: number }[] = []
    for (const node of this.#nodes.list().map(asNode)) {
      const pods = this.#podsOn(node.metadata.name)
      const misfit = nodeMisfit(pod, node, pods)
      if (misfit === undefined) fitting.push({ name: node.metadata.name, pods: pods.length })
      else misfits.push(misfit)
    }
    const [best] = fitting.toSorted((a, b) => a.pods - b.pods || (a.name < b.name ? -1 : 1))
    return best?.name ?? misfits
  }

  /** Counts the pod as bound and lets the binding take its time: the next pod need not wait for it. */
  #assume(object: KubeObject, nodeName: string, causes: Causes): void {
    this.#assumed.set(object.metadata.uid, nodeName)
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
      this.#assumed.delete(uid)
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
