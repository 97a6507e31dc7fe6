import { equalJson } from '../../../shared/json.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import { fittingNodes } from './node-fit.ts'
import { NodeLoads } from './node-load.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

function isWaiting({ metadata, spec, status }: Pod): boolean {
  return (
    (spec.nodeName ?? '') === '' &&
    metadata.deletionTimestamp === undefined &&
    status?.phase === 'Pending' &&
    spec.schedulerName === 'default-scheduler' &&
    (spec.schedulingGates ?? []).length === 0
  )
}

/** Whether it takes room on a node. */
function isPlaced({ spec, status }: Pod): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return (spec.nodeName ?? '') !== '' && !hasEnded
}

/** What of a node decides which pods it takes. Source: pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange. */
function schedulingProperties({ metadata, spec, status }: Node): unknown {
  return [metadata.labels, spec?.unschedulable, spec?.taints, status?.allocatable]
}

/** Pods that wait with one and the same spec: whichever node takes one takes the others. */
class AlikePods {
  readonly spec: string
  readonly pods = new Map<string, Pod>()
  verdict:
    { readonly changes: number; readonly result: ReturnType<typeof fittingNodes> } | undefined
  /** What all of them were last told when they were tried together; undefined when one of them could not be told. */
  told: string | undefined

  constructor(spec: string) {
    this.spec = spec
  }
}

interface Waiting {
  readonly pod: Pod
  readonly alike: AlikePods
}

// pkg/scheduler/apis/config: podInitialBackoffSeconds, podMaxBackoffSeconds.
const backOff = { baseMs: 1000, maxMs: 10_000 } as const

interface SchedulerDeps {
  readonly client: TransportApiClient
  readonly pods: PodInformer
  readonly nodes: Informer<'nodes'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Binds pods without a node to one that takes them: the one with the fewest pods, then by name. What
 * no node takes waits for a change of a node or for a pod that ends or goes; what has scheduling gates
 * is not tried. What the server refuses is tried again after a back-off. It does not preempt. Source: pkg/scheduler (v1.34).
 */
export class Scheduler {
  readonly #deps: SchedulerDeps
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  /** Those too that are bound by us and not yet seen bound: the cache is always a little behind. */
  readonly #loads = new NodeLoads()
  readonly #waiting = new Map<string, Waiting>()
  readonly #alike = new Map<string, AlikePods>()
  /** Counts the changes of nodes and of what takes room on them: a verdict holds until the next. */
  #changes = 0
  readonly #assumed = new Set<string>()
  readonly #nodeProperties = new Map<string, unknown>()

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    const { pods, nodes } = deps
    this.#events = new EventWriter({ ...deps, component: 'default-scheduler' })
    const handle = (key: string, causes: Causes): Promise<void> => this.#schedule(key, causes)
    this.#queue = new ControlQueue({ ...deps, handle, backOff })
    const onPod = (pod: Pod, causes: Causes): void => {
      if (isWaiting(pod)) this.#onWaitingPod(pod, causes)
      else this.#onOtherPod(pod, causes, isPlaced(pod))
    }
    pods.addEventHandler({
      onAdd: onPod,
      onUpdate: onPod,
      onDelete: (pod, causes) => {
        this.#onOtherPod(pod, causes, false)
      },
    })
    const onNode = (node: Node, causes: Causes): void => {
      this.#onNode(node, causes)
    }
    nodes.addEventHandler({
      onAdd: onNode,
      onUpdate: onNode,
      onDelete: ({ metadata }) => {
        this.#changes++
        this.#nodeProperties.delete(metadata.name)
      },
    })
  }

  stop(): void {
    this.#queue.stop()
  }

  #onWaitingPod(pod: Pod, causes: Causes): void {
    this.#stopWaiting(pod.metadata.uid)
    this.#startWaiting(pod)
    this.#queue.add(objectKey(pod.metadata), causes)
  }

  /** A pod that is not to be scheduled, or no longer there. `isPlaced`: it takes room on its node. */
  #onOtherPod(pod: Pod, causes: Causes, isPlaced: boolean): void {
    const { uid } = pod.metadata
    this.#stopWaiting(uid)
    this.#queue.forget(objectKey(pod.metadata))
    this.#assumed.delete(uid)
    this.#changes++
    if (isPlaced) this.#loads.put(pod.spec.nodeName ?? '', pod)
    else if (this.#loads.remove(uid)) this.#retry(causes)
  }

  #startWaiting(pod: Pod): void {
    const { uid } = pod.metadata
    const spec = JSON.stringify(pod.spec)
    const alike = this.#alike.get(spec) ?? new AlikePods(spec)
    this.#alike.set(spec, alike)
    alike.pods.set(uid, pod)
    this.#waiting.set(uid, { pod, alike })
  }

  #stopWaiting(uid: string): void {
    const alike = this.#waiting.get(uid)?.alike
    this.#waiting.delete(uid)
    alike?.pods.delete(uid)
    if (alike?.pods.size === 0) this.#alike.delete(alike.spec)
  }

  #onNode(node: Node, causes: Causes): void {
    const { name } = node.metadata
    this.#changes++
    const before = this.#nodeProperties.get(name)
    const after = schedulingProperties(node)
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
      for (const [uid, { metadata }] of alike.pods) {
        const key = objectKey(metadata)
        if (!this.#assumed.has(uid) && !this.#queue.isLater(key)) this.#queue.add(key, causes)
      }
    }
  }

  #verdict(alike: AlikePods): ReturnType<typeof fittingNodes> {
    const known = alike.verdict
    if (known?.changes === this.#changes) return known.result
    const [pod] = alike.pods.values()
    const nodes = this.#deps.nodes
      .list()
      .map((node) => ({ node, load: this.#loads.of(node.metadata.name) }))
    const result = pod === undefined ? ok([]) : fittingNodes(pod, nodes)
    alike.verdict = { changes: this.#changes, result }
    return result
  }

  async #schedule(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const uid = this.#deps.pods.get(namespace, name)?.metadata.uid ?? ''
    const waiting = this.#waiting.get(uid)
    if (waiting === undefined || this.#assumed.has(uid)) return
    const { pod, alike } = waiting
    const verdict = this.#verdict(alike)
    if (!verdict.ok) {
      // What the others were told last is no longer what all were told.
      if (verdict.error !== alike.told) alike.told = undefined
      if (!(await this.#giveUp(pod, verdict.error, causes))) {
        alike.told = undefined
        this.#queue.addRateLimited(key, causes)
      }
      return
    }
    const [best] = verdict.value
      .map(({ node, load }) => ({ name: node.metadata.name, pods: load.pods.length }))
      .toSorted((left, right) => left.pods - right.pods || (left.name < right.name ? -1 : 1))
    if (best !== undefined) this.#assume(pod, best.name, causes)
  }

  /** Counts the pod as bound and lets the binding take its time: the next pod need not wait for it. */
  #assume(pod: Pod, nodeName: string, causes: Causes): void {
    this.#assumed.add(pod.metadata.uid)
    this.#changes++
    this.#loads.put(nodeName, pod)
    this.#bind(pod, nodeName, causes).catch((error: unknown) => {
      this.#deps.log.error('a binding failed', { name: pod.metadata.name, error })
    })
  }

  async #bind(pod: Pod, nodeName: string, causes: Causes): Promise<void> {
    const { namespace = '', name } = pod.metadata
    const bound = await this.#deps.client.bind(pod, nodeName, causes)
    if (!bound.ok) {
      this.#forget(pod, causes)
      return
    }
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    const event = { type: 'Normal', reason: 'Scheduled', message } as const
    await this.#events.write('pods', pod, event, causes)
  }

  /** The server has refused the binding: others may have the room, and the pod is tried again. Source: handleBindingCycleError. */
  #forget({ metadata }: Pod, causes: Causes): void {
    this.#changes++
    if (!this.#assumed.delete(metadata.uid)) return
    this.#loads.remove(metadata.uid)
    this.#queue.addRateLimited(objectKey(metadata), causes)
    this.#retry(causes)
  }

  /** Whether the pod has been told. */
  async #giveUp(pod: Pod, message: string, causes: Causes): Promise<boolean> {
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (before?.message === message) return true
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastTransitionTime: before?.lastTransitionTime ?? toTimestamp(this.#deps.clock.now()),
      reason: 'Unschedulable',
      message,
    }
    const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } }
    const told = await this.#deps.client.patch(
      addressOf('pods', pod),
      { type: 'strategic', body, subresource: 'status' },
      causes,
    )
    const event = { type: 'Warning', reason: 'FailedScheduling', message } as const
    await this.#events.write('pods', pod, event, causes)
    return told.ok
  }
}
