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
 * How long a pod may stay on a node with these taints, in ms from when that is noticed; Infinity: for good. A
 * taint that is not tolerated counts at once. When a taint was added does not count.
 */
export function toleratedFor(pod: Pod, taints: readonly Taint[]): number {
  const spans = taints
    .filter((taint) => taint.effect === 'NoExecute')
    .map((taint) => {
      const used = (pod.spec.tolerations ?? []).filter((one) => toleratesTaint(one, taint))
      if (used.length === 0) return 0
      const seconds = Math.min(...used.map((one) => one.tolerationSeconds ?? Infinity))
      return 1000 * Math.max(0, seconds)
    })
  return Math.min(Infinity, ...spans)
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
  /** Pod uid -> when it has to leave, set when that was first noticed. */
  readonly #dues = new Map<string, number>()
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
      if (type === 'DELETED') this.#dues.delete(object.metadata.uid)
      else this.#look(object, causes)
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
    for (const pod of this.#pods.list()) {
      if (asPod(pod).spec.nodeName === nodeName) this.#look(pod, causes)
    }
  }

  #look(object: KubeObject, causes: readonly number[]): void {
    const pod = asPod(object)
    const { namespace = '', name, uid, deletionTimestamp } = object.metadata
    if (!pod.spec.nodeName || deletionTimestamp !== undefined) return
    const now = this.#clock.now()
    const due = this.#dueOf(uid, toleratedFor(pod, this.#taintsOf(pod.spec.nodeName)), now)
    if (due <= now) this.#queue.add(`${namespace}/${name}`, causes)
    else if (due < this.#next) this.#wakeAt(due)
  }

  #dueOf(uid: string, spanMs: number, now: number): number {
    if (spanMs === Infinity) {
      this.#dues.delete(uid)
      return Infinity
    }
    if (spanMs === 0) return now
    const due = this.#dues.get(uid) ?? now + spanMs
    this.#dues.set(uid, due)
    return due
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
    const { uid } = object.metadata
    const spanMs = toleratedFor(pod, this.#taintsOf(pod.spec.nodeName ?? ''))
    if (this.#dueOf(uid, spanMs, now) > now) return
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
