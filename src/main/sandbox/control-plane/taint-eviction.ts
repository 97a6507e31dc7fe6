import type { Node, Pod, Taint } from '../../../shared/kubernetes/objects.ts'
import { minTolerationMs } from '../../../shared/kubernetes/taints.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import { Controller, patchStatus } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { EventWriter } from './event-writer.ts'
import { changedCondition } from './pod-conditions.ts'

/**
 * Deletes pods, with their grace period, from nodes whose NoExecute taints they do not tolerate, or do not tolerate any longer.
 * api-server#missing-heartbeats; pkg/controller/tainteviction (v1.34).
 */
export class TaintEvictionController extends Controller {
  readonly #events: EventWriter
  /** Pod UID -> when the pod has to leave, set when the controller first saw pod and taint together. */
  readonly #deadlines = new Map<string, number>()
  #cancel: () => void = () => undefined
  #next = Infinity

  constructor(context: ControllerContext) {
    super(context)
    const { pods, nodes } = context
    this.#events = new EventWriter({ ...context, component: 'taint-eviction-controller' })
    const onPod = (pod: Pod, causes: TraceCauses): void => {
      this.#schedule(pod, causes)
    }
    const onNode = ({ metadata }: Node, causes: TraceCauses): void => {
      for (const pod of pods.byIndex('nodeName', metadata.name)) onPod(pod, causes)
    }
    nodes.addEventHandler({ onAdd: onNode, onUpdate: onNode })
    pods.addEventHandler({
      onAdd: onPod,
      onUpdate: onPod,
      onDelete: ({ metadata }) => {
        this.#deadlines.delete(metadata.uid)
      },
    })
  }

  override stop(): void {
    this.#cancel()
    super.stop()
  }

  #taintsOf(nodeName: string): readonly Taint[] {
    return this.context.nodes.get('', nodeName)?.spec?.taints ?? []
  }

  #schedule(pod: Pod, causes: TraceCauses): void {
    const { uid, deletionTimestamp } = pod.metadata
    if (!pod.spec.nodeName || deletionTimestamp !== undefined) return
    const now = this.context.clock.now()
    const tolerationMs = minTolerationMs(pod, this.#taintsOf(pod.spec.nodeName))
    const deadline = this.#deadlineOf(uid, tolerationMs, now)
    if (deadline <= now) this.queue.add(objectKey(pod.metadata), causes)
    else if (deadline < this.#next) this.#wakeAt(deadline)
  }

  #deadlineOf(uid: string, tolerationMs: number, now: number): number {
    if (tolerationMs === Infinity) {
      this.#deadlines.delete(uid)
      return Infinity
    }
    if (tolerationMs === 0) return now
    const deadline = this.#deadlines.get(uid) ?? now + tolerationMs
    this.#deadlines.set(uid, deadline)
    return deadline
  }

  #wakeAt(deadline: number): void {
    this.#cancel()
    this.#next = deadline
    const { clock, pods } = this.context
    this.#cancel = clock.after(deadline - clock.now(), () => {
      this.#next = Infinity
      for (const pod of pods.list()) this.#schedule(pod, [])
    })
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const { client, pods, clock } = this.context
    const pod = pods.get(namespace, name)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return
    const now = clock.now()
    // The taint may have been removed while the pod waited in the queue.
    const { uid } = pod.metadata
    const tolerationMs = minTolerationMs(pod, this.#taintsOf(pod.spec.nodeName ?? ''))
    if (this.#deadlineOf(uid, tolerationMs, now) > now) return
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    } as const
    const changed = changedCondition(pod, condition, now)
    if (changed !== undefined)
      await patchStatus(client, 'pods', pod, { conditions: [changed] }, causes)
    const message = `Marking for deletion Pod ${namespace}/${name}`
    const event = { type: 'Normal', reason: 'TaintManagerEviction', message } as const
    await this.#events.write('pods', pod, event, causes)
    await client.delete(addressOf('pods', pod), { preconditions: { uid } }, causes)
  }
}
