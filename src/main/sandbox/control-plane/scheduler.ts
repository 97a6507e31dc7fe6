import { equalJson } from '../../../shared/json.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { objectKey } from '../../cluster/client/resource-paths.ts'
import { Controller, patchStatus } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { EventWriter } from './event-writer.ts'
import { findNodesThatFitPod } from './node-fit.ts'
import { NodeLoads } from './node-load.ts'

function isPending({ metadata, spec, status }: Pod): boolean {
  return (
    (spec.nodeName ?? '') === '' &&
    metadata.deletionTimestamp === undefined &&
    status?.phase === 'Pending' &&
    spec.schedulerName === 'default-scheduler' &&
    (spec.schedulingGates ?? []).length === 0
  )
}

/** True if the pod uses resources of a node. */
function usesNode({ spec, status }: Pod): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return (spec.nodeName ?? '') !== '' && !hasEnded
}

/** The properties of a node that decide which pods fit. Source: pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange. */
function schedulingProperties({ metadata, spec, status }: Node): unknown {
  return [metadata.labels, spec?.unschedulable, spec?.taints, status?.allocatable]
}

type FittingNodes = ReturnType<typeof findNodesThatFitPod>

/** Pending pods with the same spec: a node that fits one of them fits all. */
class EquivalentPods {
  readonly spec: string
  readonly pods = new Map<string, Pod>()
  fit: { readonly changes: number; readonly result: FittingNodes } | undefined
  /** The message that the conditions of all these pods have; undefined when they differ. */
  message: string | undefined

  constructor(spec: string) {
    this.spec = spec
  }
}

interface PendingPod {
  readonly pod: Pod
  readonly equivalent: EquivalentPods
}

// pkg/scheduler/apis/config: podInitialBackoffSeconds, podMaxBackoffSeconds.
const backOff = { baseMs: 1000, maxMs: 10_000 } as const

/**
 * Binds pending pods to a node that fits: the one with the fewest pods, then by name. A pod that fits no node waits until a
 * node changes or another pod ends or is deleted. Pods with scheduling gates are skipped. If the server refuses a write, the
 * scheduler retries with a back-off. It does not preempt. Source: pkg/scheduler (v1.34).
 */
export class Scheduler extends Controller {
  readonly #events: EventWriter
  /** Includes the pods that are assumed to be bound: the cache lags behind the server. */
  readonly #loads = new NodeLoads()
  readonly #pending = new Map<string, PendingPod>()
  readonly #equivalent = new Map<string, EquivalentPods>()
  /** Counts the changes of nodes and of their load. The result of a fit holds until the next change. */
  #changes = 0
  readonly #assumed = new Set<string>()
  readonly #nodeProperties = new Map<string, unknown>()

  constructor(context: ControllerContext) {
    super(context, backOff)
    const { pods, nodes } = context
    this.#events = new EventWriter({ ...context, component: 'default-scheduler' })
    const onPod = (pod: Pod, causes: TraceCauses): void => {
      if (isPending(pod)) this.#onPendingPod(pod, causes)
      else this.#onOtherPod(pod, causes, usesNode(pod))
    }
    pods.addEventHandler({
      onAdd: onPod,
      onUpdate: onPod,
      onDelete: (pod, causes) => {
        this.#onOtherPod(pod, causes, false)
      },
    })
    const onNode = (node: Node, causes: TraceCauses): void => {
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

  #onPendingPod(pod: Pod, causes: TraceCauses): void {
    this.#removePending(pod.metadata.uid)
    this.#addPending(pod)
    this.queue.add(objectKey(pod.metadata), causes)
  }

  /** A pod that is not to be scheduled or that was deleted. `usesNode`: it uses resources of its node. */
  #onOtherPod(pod: Pod, causes: TraceCauses, usesNode: boolean): void {
    const { uid } = pod.metadata
    this.#removePending(uid)
    this.queue.forget(objectKey(pod.metadata))
    this.#assumed.delete(uid)
    this.#changes++
    if (usesNode) this.#loads.put(pod.spec.nodeName ?? '', pod)
    else if (this.#loads.remove(uid)) this.#retry(causes)
  }

  #addPending(pod: Pod): void {
    const { uid } = pod.metadata
    const spec = JSON.stringify(pod.spec)
    const equivalent = this.#equivalent.get(spec) ?? new EquivalentPods(spec)
    this.#equivalent.set(spec, equivalent)
    equivalent.pods.set(uid, pod)
    this.#pending.set(uid, { pod, equivalent })
  }

  #removePending(uid: string): void {
    const equivalent = this.#pending.get(uid)?.equivalent
    this.#pending.delete(uid)
    equivalent?.pods.delete(uid)
    if (equivalent?.pods.size === 0) this.#equivalent.delete(equivalent.spec)
  }

  #onNode(node: Node, causes: TraceCauses): void {
    const { name } = node.metadata
    this.#changes++
    const before = this.#nodeProperties.get(name)
    const after = schedulingProperties(node)
    this.#nodeProperties.set(name, after)
    // Most updates of a node are heartbeats.
    if (!equalJson(before, after)) this.#retry(causes)
  }

  /** Retries the pending pods, except those whose message would stay the same. */
  #retry(causes: TraceCauses): void {
    for (const equivalent of this.#equivalent.values()) {
      const fit = this.#fit(equivalent)
      if (!fit.ok && fit.error === equivalent.message) continue
      equivalent.message = fit.ok ? undefined : fit.error
      for (const [uid, { metadata }] of equivalent.pods) {
        const key = objectKey(metadata)
        if (!this.#assumed.has(uid) && !this.queue.isLater(key)) this.queue.add(key, causes)
      }
    }
  }

  #fit(equivalent: EquivalentPods): FittingNodes {
    const known = equivalent.fit
    if (known?.changes === this.#changes) return known.result
    const [pod] = equivalent.pods.values()
    const nodes = this.context.nodes
      .list()
      .map((node) => ({ node, load: this.#loads.of(node.metadata.name) }))
    const result = pod === undefined ? ok([]) : findNodesThatFitPod(pod, nodes)
    equivalent.fit = { changes: this.#changes, result }
    return result
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const uid = this.context.pods.get(namespace, name)?.metadata.uid ?? ''
    const pending = this.#pending.get(uid)
    if (pending === undefined || this.#assumed.has(uid)) return
    const { pod, equivalent } = pending
    const fit = this.#fit(equivalent)
    if (!fit.ok) {
      // The equivalent pods still have the previous message.
      if (fit.error !== equivalent.message) equivalent.message = undefined
      if (!(await this.#markUnschedulable(pod, fit.error, causes))) {
        equivalent.message = undefined
        this.queue.addRateLimited(key, causes)
      }
      return
    }
    const [best] = fit.value
      .map(({ node, load }) => ({ name: node.metadata.name, pods: load.pods.length }))
      .toSorted((left, right) => left.pods - right.pods || (left.name < right.name ? -1 : 1))
    if (best !== undefined) this.#assume(pod, best.name, causes)
  }

  /** Assumes that the pod is bound and binds it in the background, so that the next pod does not wait. */
  #assume(pod: Pod, nodeName: string, causes: TraceCauses): void {
    this.#assumed.add(pod.metadata.uid)
    this.#changes++
    this.#loads.put(nodeName, pod)
    this.#bind(pod, nodeName, causes).catch((error: unknown) => {
      this.context.log.error('a binding failed', { name: pod.metadata.name, error })
    })
  }

  async #bind(pod: Pod, nodeName: string, causes: TraceCauses): Promise<void> {
    const { namespace = '', name } = pod.metadata
    const bound = await this.context.client.bind(pod, nodeName, causes)
    if (!bound.ok) {
      this.#forget(pod, causes)
      return
    }
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    const event = { type: 'Normal', reason: 'Scheduled', message } as const
    await this.#events.write('pods', pod, event, causes)
  }

  /** The server refused the binding: frees the resources for other pods and retries the pod. Source: handleBindingCycleError. */
  #forget({ metadata }: Pod, causes: TraceCauses): void {
    this.#changes++
    if (!this.#assumed.delete(metadata.uid)) return
    this.#loads.remove(metadata.uid)
    this.queue.addRateLimited(objectKey(metadata), causes)
    this.#retry(causes)
  }

  /** Sets the PodScheduled condition of a pod that fits no node. False if the server refused. */
  async #markUnschedulable(pod: Pod, message: string, causes: TraceCauses): Promise<boolean> {
    const before = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (before?.message === message) return true
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastTransitionTime: before?.lastTransitionTime ?? toTimestamp(this.context.clock.now()),
      reason: 'Unschedulable',
      message,
    }
    const { client } = this.context
    const patched = await patchStatus(client, 'pods', pod, { conditions: [condition] }, causes)
    const event = { type: 'Warning', reason: 'FailedScheduling', message } as const
    await this.#events.write('pods', pod, event, causes)
    return patched.ok
  }
}
