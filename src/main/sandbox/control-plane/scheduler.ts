import { equalJson, objectsAt } from '../../../shared/json.ts'
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
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

/** Pods that wait with one and the same spec: whichever node takes one takes the others. */
class AlikePods {
  readonly spec: string
  readonly pods = new Map<string, KubeObject>()
  verdict:
    { readonly changes: number; readonly result: ReturnType<typeof fittingNodes> } | undefined
  /** What all of them were last told when they were tried together. */
  told: string | undefined

  constructor(spec: string) {
    this.spec = spec
  }
}

interface Waiting {
  readonly object: KubeObject
  readonly alike: AlikePods
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
  readonly #waiting = new Map<string, Waiting>()
  readonly #alike = new Map<string, AlikePods>()
  /** Counts the changes of nodes and of what takes room on them: a verdict holds until the next. */
  #changes = 0
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
    this.#stopWaiting(uid)
    if (type !== 'DELETED' && isWaiting(object)) {
      this.#startWaiting(object)
      this.#queue.add(queueKey(object), causes)
      return
    }
    this.#assumed.delete(uid)
    this.#changes++
    if (type !== 'DELETED' && nodeName !== '' && !hasEnded(pod)) this.#loads.put(nodeName, pod)
    else if (this.#loads.remove(uid)) this.#retry(causes)
  }

  #startWaiting(object: KubeObject): void {
    const { uid } = object.metadata
    const spec = JSON.stringify(object['spec'])
    const alike = this.#alike.get(spec) ?? new AlikePods(spec)
    this.#alike.set(spec, alike)
    alike.pods.set(uid, object)
    this.#waiting.set(uid, { object, alike })
  }

  #stopWaiting(uid: string): void {
    const alike = this.#waiting.get(uid)?.alike
    this.#waiting.delete(uid)
    alike?.pods.delete(uid)
    if (alike?.pods.size === 0) this.#alike.delete(alike.spec)
  }

  #onNode({ type, object, causes }: CacheChange): void {
    const { name } = object.metadata
    this.#changes++
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

  /** Tries again what waits, but for pods of which the scheduler would only say the same again. */
  #retry(causes: Causes): void {
    for (const alike of this.#alike.values()) {
      const verdict = this.#verdict(alike)
      if (!verdict.ok && verdict.error === alike.told) continue
      alike.told = verdict.ok ? undefined : verdict.error
      for (const [uid, object] of alike.pods)
        if (!this.#assumed.has(uid)) this.#queue.add(queueKey(object), causes)
    }
  }

  #verdict(alike: AlikePods): ReturnType<typeof fittingNodes> {
    const known = alike.verdict
    if (known?.changes === this.#changes) return known.result
    const [object] = alike.pods.values()
    const nodes = this.#nodes.list().map((each) => {
      const node = asNode(each)
      return { node, load: this.#loads.of(node.metadata.name) }
    })
    const result = object === undefined ? ok([]) : fittingNodes(asPod(object), nodes)
    alike.verdict = { changes: this.#changes, result }
    return result
  }

  async #schedule(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const uid = this.#pods.get(namespace, name)?.metadata.uid ?? ''
    const waiting = this.#waiting.get(uid)
    if (waiting === undefined || this.#assumed.has(uid)) return
    const { object, alike } = waiting
    const verdict = this.#verdict(alike)
    if (!verdict.ok) {
      // What the others were told last is no longer what all were told.
      if (verdict.error !== alike.told) alike.told = undefined
      await this.#giveUp(object, verdict.error, causes)
      return
    }
    const [best] = verdict.value
      .map(({ node, load }) => ({ name: node.metadata.name, pods: load.pods.length }))
      .toSorted((left, right) => left.pods - right.pods || (left.name < right.name ? -1 : 1))
    if (best !== undefined) this.#assume(object, best.name, causes)
  }

  /** Counts the pod as bound and lets the binding take its time: the next pod need not wait for it. */
  #assume(object: KubeObject, nodeName: string, causes: Causes): void {
    this.#assumed.add(object.metadata.uid)
    this.#changes++
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
      this.#changes++
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
