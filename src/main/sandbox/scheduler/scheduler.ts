import { defined } from '../../../shared/json.ts'
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import type { NodeVerdict } from '../../../shared/model/workloads/workloads.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Random } from '../../kubelet/ports.ts'
import type { ControllerContext } from '../control-plane/controller.ts'
import { EventWriter } from '../control-plane/event-writer.ts'
import { ClusterCache } from './cluster-cache.ts'
import { nodeEvents, podEvents } from './cluster-event.ts'
import type { ClusterEvent } from './cluster-event.ts'
import type { Listers } from './framework.ts'
import { nodeVerdicts } from './node-verdicts.ts'
import { podInfo } from './pod-info.ts'
import type { PodInfo } from './pod-info.ts'
import { PodWrites } from './pod-writes.ts'
import type { QueuedPod } from './queued-pod.ts'
import { schedulePod } from './schedule-pod.ts'
import type { Scheduled } from './schedule-pod.ts'
import { schedulerListers } from './scheduler-listers.ts'
import type { OwnerLister } from './scheduler-listers.ts'
import { SchedulingQueue } from './scheduling-queue.ts'
import { VolumeBinder } from './volume-binder.ts'
import type { PodVolumes } from './volume-binder.ts'

function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

function isPlaced(pod: Pod | undefined): pod is Pod {
  return pod !== undefined && (pod.spec.nodeName ?? '') !== '' && !isTerminal(pod)
}

/** A pod that this scheduler looks for a node for. */
function isPending(pod: Pod | undefined): pod is Pod {
  return (
    pod !== undefined &&
    (pod.spec.nodeName ?? '') === '' &&
    !isTerminal(pod) &&
    pod.spec.schedulerName === 'default-scheduler'
  )
}

function nominatedNode({ status }: Pod): string {
  return status?.nominatedNodeName ?? ''
}

interface SchedulerDeps {
  readonly random: Random
  readonly ownerOf: OwnerLister
}

const noPlugins: ReadonlySet<string> = new Set()

/** The maximum of an event's note (NoteLengthLimit). */
const noteLengthLimit = 1024

function truncated(message: string): string {
  if (message.length <= noteLengthLimit) return message
  const suffix = ' ...'
  return message.slice(0, noteLengthLimit - suffix.length) + suffix
}

/**
 * Binds pending pods to nodes as kube-scheduler does with its default profile: filters, scores, preemption, and a queue whose
 * pods wait for the events that can help them. Source: pkg/scheduler (v1.34).
 */
export class Scheduler {
  readonly #context: ControllerContext
  readonly #random: Random
  readonly #listers: Listers
  readonly #volumes: VolumeBinder
  readonly #events: EventWriter
  readonly #writes: PodWrites
  readonly #cache = new ClusterCache()
  readonly #queue: SchedulingQueue
  /** Pods that count as bound before the informer says so. */
  readonly #assumed = new Set<string>()
  /** Pods whose victims are being deleted. */
  readonly #preempting = new Set<string>()
  #startIndex = 0
  #isRunning = false
  #isStopped = false

  constructor(context: ControllerContext, { random, ownerOf }: SchedulerDeps) {
    this.#context = context
    this.#random = random
    this.#volumes = new VolumeBinder(context)
    this.#listers = schedulerListers(context, this.#volumes, ownerOf)
    this.#events = new EventWriter({ ...context, component: 'default-scheduler' })
    this.#writes = new PodWrites({ ...context, events: this.#events })
    this.#queue = new SchedulingQueue({
      clock: context.clock,
      isPreempting: (uid) => this.#preempting.has(uid),
      onReady: () => {
        this.#wake()
      },
    })
    this.#watchPods()
    this.#watchNodes()
    this.#watchVolumes()
  }

  stop(): void {
    this.#isStopped = true
    this.#queue.stop()
  }

  /** What the filters say now of each node for a pending pod; `undefined`: it is not pending. */
  verdicts(namespace: string, name: string): readonly NodeVerdict[] | undefined {
    const pod = this.#context.pods.get(namespace, name)
    if (!isPending(pod)) return undefined
    return nodeVerdicts(podInfo(pod), {
      snapshot: this.#cache,
      listers: this.#listers,
      nominated: this.#queue.nominator.on,
    })
  }

  #watchPods(): void {
    this.#context.pods.addEventHandler({
      onAdd: (pod, causes) => {
        this.#onPod(undefined, pod, causes)
      },
      onUpdate: (pod, causes, before) => {
        this.#onPod(before, pod, causes)
      },
      onDelete: (pod, causes) => {
        this.#onPod(pod, undefined, causes)
      },
    })
  }

  #watchNodes(): void {
    this.#context.nodes.addEventHandler({
      onAdd: (node, causes) => {
        this.#cache.putNode(node)
        this.#queue.move({ kind: 'node', action: 'Add', after: node }, causes)
      },
      onUpdate: (node, causes, before) => {
        this.#onNodeUpdate(before, node, causes)
      },
      onDelete: (node, causes) => {
        this.#queue.move({ kind: 'node', action: 'Delete', before: node }, causes)
        this.#cache.deleteNode(node.metadata.name)
      },
    })
  }

  /** Most updates of a node are heartbeats. */
  #onNodeUpdate(before: Node, node: Node, causes: TraceCauses): void {
    this.#cache.putNode(node)
    for (const event of nodeEvents(before, node)) this.#queue.move(event, causes)
  }

  #watchVolumes(): void {
    const { claims, volumes, storageClasses } = this.#context
    const kinds = [
      ['claim', claims],
      ['volume', volumes],
      ['class', storageClasses],
    ] as const
    for (const [kind, informer] of kinds) {
      const moveOn =
        (action: 'Add' | 'Update') =>
        (after: KubeObject, causes: TraceCauses, before?: KubeObject): void => {
          this.#queue.move(defined({ kind, action, before, after }), causes)
        }
      informer.addEventHandler({ onAdd: moveOn('Add'), onUpdate: moveOn('Update') })
    }
  }

  /** Source: eventhandlers.go. A pod that has terminated counts as deleted. */
  #onPod(before: Pod | undefined, after: Pod | undefined, causes: TraceCauses): void {
    this.#onPlacedPod(
      isPlaced(before) ? before : undefined,
      isPlaced(after) ? after : undefined,
      causes,
    )
    if (isPending(after)) {
      if (isPending(before)) this.#onPendingUpdate(before, after, causes)
      else this.#queue.add(after, causes)
    } else if (isPending(before)) this.#onPendingDelete(before, after, causes)
  }

  #onPlacedPod(before: Pod | undefined, after: Pod | undefined, causes: TraceCauses): void {
    if (after !== undefined) {
      this.#assumed.delete(after.metadata.uid)
      this.#cache.putPod(after, after.spec.nodeName ?? '')
      const added: ClusterEvent = { kind: 'pod', action: 'Add', after }
      const events = before === undefined ? [added] : podEvents(before, after)
      for (const event of events) this.#queue.move(event, causes)
    } else if (before !== undefined) {
      this.#cache.deletePod(before.metadata.uid)
      this.#queue.move({ kind: 'pod', action: 'Delete', before }, causes)
    }
  }

  #onPendingUpdate(before: Pod, after: Pod, causes: TraceCauses): void {
    if (this.#assumed.has(after.metadata.uid)) return
    this.#queue.update(before, after, causes)
    if (nominatedNode(before) !== '' && nominatedNode(before) !== nominatedNode(after))
      this.#moveLessImportant(before, causes)
  }

  #onPendingDelete(before: Pod, after: Pod | undefined, causes: TraceCauses): void {
    const { uid } = before.metadata
    this.#queue.delete(uid)
    if (after === undefined && this.#assumed.delete(uid)) this.#cache.deletePod(uid)
    if (nominatedNode(before) !== '') this.#moveLessImportant(before, causes)
  }

  /** The pod no longer keeps a place on its nominated node. */
  #moveLessImportant(before: Pod, causes: TraceCauses): void {
    const { priority } = podInfo(before)
    const event = { kind: 'pod', action: 'Delete', before } as const
    this.#queue.move(event, causes, ({ info }) => info.priority <= priority)
  }

  /** Later in this turn, so that all that arrives together is queued before the first is tried. */
  #wake(): void {
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    queueMicrotask(() => {
      this.#run()
    })
  }

  #run(): void {
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      if (this.#isStopped) return
      try {
        this.#scheduleOne(next)
      } catch (error) {
        this.#context.log.error('the scheduler failed', {
          name: next.info.pod.metadata.name,
          error,
        })
        this.#queue.addUnschedulable(next, noPlugins)
      }
    }
    this.#isRunning = false
  }

  #scheduleOne(queued: QueuedPod): void {
    const { info, causes } = queued
    const { pod, uid } = info
    if (this.#assumed.has(uid)) return
    const { namespace = '', name, deletionTimestamp } = pod.metadata
    if (deletionTimestamp !== undefined) {
      this.#record(pod, `skip schedule deleting pod: ${namespace}/${name}`, causes)
      return
    }
    const scheduled = this.#schedule(info)
    const nodeCount = this.#cache.nodes.length
    if (nodeCount > 0) this.#startIndex = (this.#startIndex + scheduled.processed) % nodeCount
    if (scheduled.kind === 'fits') this.#assume(queued, scheduled.nodeName, scheduled.volumes)
    else this.#onUnschedulable(queued, scheduled)
  }

  #schedule(info: PodInfo): Scheduled {
    return schedulePod(info, {
      snapshot: this.#cache,
      listers: this.#listers,
      nominated: this.#queue.nominator.on,
      budgets: () => this.#context.budgets.list(),
      random: this.#random,
      now: this.#context.clock.now(),
      startIndex: this.#startIndex,
    })
  }

  /** Counts the pod as bound and binds it in the background, so that the next pod does not wait. */
  #assume(queued: QueuedPod, nodeName: string, needed: PodVolumes | undefined): void {
    const { pod, uid } = queued.info
    this.#assumed.add(uid)
    this.#cache.putPod(pod, nodeName)
    this.#queue.nominator.delete(uid)
    const volumes = needed && this.#volumes.assume(needed, nodeName)
    this.#bind(queued, nodeName, volumes).catch((error: unknown) => {
      this.#context.log.error('a binding failed', { name: pod.metadata.name, error })
    })
  }

  async #bind(queued: QueuedPod, nodeName: string, volumes: PodVolumes | undefined): Promise<void> {
    const { causes, info } = queued
    const { pod } = info
    const { namespace = '', name } = pod.metadata
    const problem = volumes && (await this.#volumes.bind(pod, nodeName, volumes, causes))
    if (this.#isStopped) return
    if (volumes !== undefined && problem !== undefined) {
      this.#volumes.revert(volumes)
      const message = `running PreBind plugin "VolumeBinding": ${problem}`
      this.#onBindingError(queued, nodeName, message)
      return
    }
    const bound = await this.#context.client.bind(pod, nodeName, causes)
    if (this.#isStopped) return
    if (!bound.ok) {
      const message = `running Bind plugin "DefaultBinder": ${bound.error.message}`
      this.#onBindingError(queued, nodeName, message)
      return
    }
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`
    const event = { type: 'Normal', reason: 'Scheduled', message } as const
    await this.#events.write('pods', pod, event, causes)
  }

  /** The binding failed: frees the resources for other pods and retries the pod. Source: handleBindingCycleError. */
  #onBindingError(queued: QueuedPod, nodeName: string, message: string): void {
    const { pod, uid } = queued.info
    if (this.#assumed.delete(uid)) {
      this.#cache.deletePod(uid)
      const before = { ...pod, spec: { ...pod.spec, nodeName } }
      this.#queue.move({ kind: 'pod', action: 'Delete', before }, queued.causes)
    }
    this.#onFailure(queued, {
      reason: 'SchedulerError',
      message,
      plugins: noPlugins,
      nominatedNodeName: '',
    })
  }

  #onUnschedulable(
    queued: QueuedPod,
    { message, plugins, preemption }: Extract<Scheduled, { kind: 'unschedulable' }>,
  ): void {
    const { nominatedNodeName, victims } = preemption
    if (victims.length > 0)
      this.#preempt(queued, nominatedNodeName ?? '', victims).catch((error: unknown) => {
        this.#context.log.error('a preemption failed', {
          name: queued.info.pod.metadata.name,
          error,
        })
      })
    this.#onFailure(queued, { reason: 'Unschedulable', message, plugins, nominatedNodeName })
  }

  /** Source: handleSchedulingFailure. */
  #onFailure(
    queued: QueuedPod,
    failure: {
      readonly reason: 'Unschedulable' | 'SchedulerError'
      readonly message: string
      readonly plugins: ReadonlySet<string>
      readonly nominatedNodeName: string | undefined
    },
  ): void {
    const { pod, uid } = queued.info
    const { causes } = queued
    const { reason, message, plugins, nominatedNodeName } = failure
    const now = this.#context.pods.get(pod.metadata.namespace ?? '', pod.metadata.name)
    if (isPending(now) && now.metadata.uid === uid) {
      queued.info = podInfo(now)
      this.#queue.addUnschedulable(queued, plugins)
      this.#queue.nominator.nominate(queued.info, nominatedNodeName)
    }
    this.#record(pod, truncated(message), causes)
    const condition = { type: 'PodScheduled', status: 'False', reason, message } as const
    this.#writes
      .updateStatus(pod, { condition, nominatedNodeName }, causes)
      .catch((error: unknown) => {
        this.#context.log.error('a status was not written', { name: pod.metadata.name, error })
      })
  }

  #record(pod: Pod, message: string, causes: TraceCauses): void {
    const event = { type: 'Warning', reason: 'FailedScheduling', message } as const
    this.#events.write('pods', pod, event, causes).catch((error: unknown) => {
      this.#context.log.error('an event was not written', { name: pod.metadata.name, error })
    })
  }

  /**
   * Deletes the victims. The pod is not tried again before all but the last are gone, so that the deletion of the last one
   * queues it. Source: preemption.go prepareCandidateAsync.
   */
  async #preempt(queued: QueuedPod, nodeName: string, victims: readonly PodInfo[]): Promise<void> {
    const { info, causes } = queued
    const preempt = (victim: PodInfo): Promise<boolean> =>
      this.#writes.preempt(victim.pod, info, nodeName, causes)
    this.#preempting.add(info.uid)
    const losers = this.#queue.nominator
      .on(nodeName)
      .filter(({ priority }) => priority < info.priority)
    const done = await Promise.all([
      ...losers.map(({ pod }) => this.#writes.updateStatus(pod, { nominatedNodeName: '' }, causes)),
      ...victims.slice(0, -1).map(preempt),
    ])
    this.#preempting.delete(info.uid)
    for (const last of victims.slice(-1)) done.push(await preempt(last))
    if (done.includes(false)) this.#queue.activate(info.uid, causes)
  }
}
