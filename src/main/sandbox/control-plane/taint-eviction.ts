import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { toleratesTaint } from '../../../shared/kubernetes/taints.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

interface TaintEvictionDeps {
  readonly client: TransportApiClient
  readonly pods: PodInformer
  readonly nodes: Informer<'nodes'>
  readonly clock: Clock
  readonly log: Log
}

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
 * longer. api-server#missing-heartbeats; pkg/controller/tainteviction (v1.34).
 */
export class TaintEviction {
  readonly #deps: TaintEvictionDeps
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  /** Pod uid -> when it has to leave, set when that was first noticed. */
  readonly #dues = new Map<string, number>()
  #cancel: () => void = () => undefined
  #next = Infinity

  constructor(deps: TaintEvictionDeps) {
    this.#deps = deps
    const { pods, nodes } = deps
    this.#events = new EventWriter({ ...deps, component: 'taint-eviction-controller' })
    const handle = (key: string, causes: Causes): Promise<void> => this.#evict(key, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    const plan = ({ metadata }: Node, causes: Causes): void => {
      for (const pod of pods.byIndex('nodeName', metadata.name)) this.#look(pod, causes)
    }
    nodes.addEventHandler({ onAdd: plan, onUpdate: plan })
    const look = (pod: Pod, causes: Causes): void => {
      this.#look(pod, causes)
    }
    pods.addEventHandler({
      onAdd: look,
      onUpdate: look,
      onDelete: ({ metadata }) => {
        this.#dues.delete(metadata.uid)
      },
    })
  }

  stop(): void {
    this.#cancel()
    this.#queue.stop()
  }

  #taintsOf(nodeName: string): readonly Taint[] {
    return this.#deps.nodes.get('', nodeName)?.spec?.taints ?? []
  }

  #look(pod: Pod, causes: Causes): void {
    const { uid, deletionTimestamp } = pod.metadata
    if (!pod.spec.nodeName || deletionTimestamp !== undefined) return
    const now = this.#deps.clock.now()
    const due = this.#dueOf(uid, toleratedFor(pod, this.#taintsOf(pod.spec.nodeName)), now)
    if (due <= now) this.#queue.add(objectKey(pod.metadata), causes)
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
    const { clock, pods } = this.#deps
    this.#cancel = clock.after(due - clock.now(), () => {
      this.#next = Infinity
      for (const pod of pods.list()) this.#look(pod, [])
    })
  }

  async #evict(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const { client, pods, clock } = this.#deps
    const pod = pods.get(namespace, name)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    const now = clock.now()
    // The taint may have gone while the pod waited in the queue.
    const { uid } = pod.metadata
    const spanMs = toleratedFor(pod, this.#taintsOf(pod.spec.nodeName ?? ''))
    if (this.#dueOf(uid, spanMs, now) > now) return
    const address = addressOf('pods', pod)
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      lastTransitionTime: toTimestamp(now),
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    }
    const body = { metadata: { uid }, status: { conditions: [condition] } }
    await client.patch(address, { type: 'strategic', body, subresource: 'status' }, causes)
    const message = `Marking for deletion Pod ${namespace}/${name}`
    await this.#events.write(
      'pods',
      pod,
      { type: 'Normal', reason: 'TaintManagerEviction', message },
      causes,
    )
    await client.delete(address, { preconditions: { uid } }, causes)
  }
}
