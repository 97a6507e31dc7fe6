import type { KubeObject, Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { apiTime } from '../object-identity.ts'
import { asPod } from '../pod-strategy.ts'
import { placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import type { WatchCache } from './watch-cache.ts'

/**
 * When a pod has to leave a node with these taints, in ms; Infinity: never. A taint that is not
 * tolerated counts at once; one tolerated for some seconds, so long after it was added.
 */
export function evictionDue(pod: Pod, taints: readonly Taint[], now: number): number {
  const dues = taints
    .filter((taint) => taint.effect === 'NoExecute')
    .map((taint) => {
      const used = (pod.spec.tolerations ?? []).filter((one) => toleratesTaint(one, taint))
      if (used.length === 0) return now
      const seconds = Math.min(...used.map((one) => one.tolerationSeconds ?? Infinity))
      const addedAt = taint.timeAdded === undefined ? now : Date.parse(taint.timeAdded)
      return addedAt + 1000 * Math.max(0, seconds)
    })
  return Math.min(Infinity, ...dues)
}

/**
 * Deletes pods, with their grace, from nodes whose NoExecute taints they do not tolerate, or no
 * longer. Semantics 9.5; pkg/controller/tainteviction (v1.34).
 */
export class TaintEviction {
  readonly #client: ControlClient
  readonly #pods: WatchCache
  readonly #nodes: WatchCache
  readonly #clock: Clock
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  #cancel: () => void = () => undefined
  #next = Infinity

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
    this.#events = new EventWriter({ client, clock, log, component: 'taint-eviction-controller' })
    this.#queue = new ControlQueue({ handle: (key, causes) => this.#evict(key, causes), log })
    nodes.listen(({ type, object, causes }) => {
      if (type !== 'DELETED') this.#plan(object.metadata.name, causes)
    })
    pods.listen(({ type, object, causes }) => {
      if (type !== 'DELETED') this.#look(object, causes)
    })
  }

  stop(): void {
    this.#cancel()
    this.#queue.stop()
  }

  #taintsOf(nodeName: string): readonly Taint[] {
    const node = this.#nodes.get('', nodeName)
    // Its kind was asked for; only nodes are in this cache.
    return node === undefined ? [] : ((node as unknown as Node).spec?.taints ?? [])
  }

  #plan(nodeName: string, causes: readonly number[]): void {
    if (!this.#taintsOf(nodeName).some((taint) => taint.effect === 'NoExecute')) return
    for (const pod of this.#pods.list()) {
      if (asPod(pod).spec.nodeName === nodeName) this.#look(pod, causes)
    }
  }

  #look(object: KubeObject, causes: readonly number[]): void {
    const pod = asPod(object)
    const { namespace = '', name, deletionTimestamp } = object.metadata
    if (!pod.spec.nodeName || deletionTimestamp !== undefined) return
    const now = this.#clock.now()
    const due = evictionDue(pod, this.#taintsOf(pod.spec.nodeName), now)
    if (due <= now) this.#queue.add(`${namespace}/${name}`, causes)
    else if (due < this.#next) this.#wakeAt(due)
  }

  #wakeAt(due: number): void {
    this.#cancel()
    this.#next = due
    this.#cancel = this.#clock.after(due - this.#clock.now(), () => {
      this.#next = Infinity
      for (const pod of this.#pods.list()) this.#look(pod, [])
    })
  }

  async #evict(key: string, causes: readonly number[]): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const object = this.#pods.get(namespace, name)
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return
    const pod = asPod(object)
    const now = this.#clock.now()
    // The taint may have gone while the pod waited in the queue.
    if (evictionDue(pod, this.#taintsOf(pod.spec.nodeName ?? ''), now) > now) return
    const { uid } = object.metadata
    const place = placeOf('pods', object)
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: apiTime(now),
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    }
    await this.#client.patch(
      place,
      { metadata: { uid }, status: { conditions: [condition] } },
      { causes, subresource: '/status' },
    )
    const message = `Marking for deletion Pod ${namespace}/${name}`
    await this.#events.write(
      object,
      { type: 'Normal', reason: 'TaintManagerEviction', message },
      causes,
    )
    await this.#client.delete(place, { uid, causes })
  }
}
