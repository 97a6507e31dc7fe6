import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { Clock } from '../../kubelet/ports.ts'
import type { EventWriter } from '../control-plane/event-writer.ts'
import { changedCondition } from '../control-plane/pod-conditions.ts'
import type { NewPodCondition } from '../control-plane/pod-conditions.ts'
import type { PodInfo } from './pod-info.ts'

interface WriteDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
}

interface StatusChange {
  readonly condition?: NewPodCondition
  /** Undefined leaves it as it is, empty removes it. */
  readonly nominatedNodeName?: string | undefined
}

// client-go retry.DefaultBackoff, without its jitter.
const retryDelaysMs = [10, 50, 250]

/** The writes of the scheduler that concern pods, other than bindings. */
export class PodWrites {
  readonly #deps: WriteDeps

  constructor(deps: WriteDeps) {
    this.#deps = deps
  }

  /** Writes what differs from the pod. False if the server refused. Source: schedule_one.go updatePod. */
  async updateStatus(pod: Pod, change: StatusChange, causes: TraceCauses): Promise<boolean> {
    const { condition, nominatedNodeName } = change
    const now = this.#deps.clock.now()
    const changed = condition && changedCondition(pod, condition, now)
    const isRenominated =
      nominatedNodeName !== undefined && nominatedNodeName !== (pod.status?.nominatedNodeName ?? '')
    if (changed === undefined && !isRenominated) return true
    const status = {
      ...(changed === undefined ? {} : { conditions: [changed] }),
      ...(isRenominated ? { nominatedNodeName: nominatedNodeName || null } : {}),
    }
    return this.#patch(pod, status, causes)
  }

  async #patch(pod: Pod, status: object, causes: TraceCauses): Promise<boolean> {
    const { client, clock } = this.#deps
    const body = { metadata: { uid: pod.metadata.uid }, status }
    const patch = { type: 'strategic', body, subresource: 'status' } as const
    for (let attempt = 0; ; attempt++) {
      const patched = await client.patch(addressOf('pods', pod), patch, causes)
      if (patched.ok) return true
      const { code } = patched.error
      const delayMs = retryDelaysMs[attempt]
      const isRetriable = code === undefined || code === 500 || code === 503
      if (!isRetriable || delayMs === undefined) return false
      await new Promise<void>((resolve) => {
        clock.after(delayMs, resolve)
      })
    }
  }

  /** Deletes a victim. False if the server refused. Source: preemption.go PreemptPod. */
  async preempt(
    victim: Pod,
    preemptor: PodInfo,
    nodeName: string,
    causes: TraceCauses,
  ): Promise<boolean> {
    const { client, events } = this.#deps
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${preemptor.pod.spec.schedulerName ?? ''}: preempting to accommodate a higher priority pod`,
    } as const
    if (!(await this.updateStatus(victim, { condition }, causes))) return false
    const deleted = await client.delete(addressOf('pods', victim), {}, causes)
    if (!deleted.ok) return deleted.error.code === 404
    const message = `Preempted by pod ${preemptor.uid} on node ${nodeName}`
    const event = { type: 'Normal', reason: 'Preempted', message } as const
    await events.write('pods', victim, event, causes)
    return true
  }
}
