import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type { Clock, EventRecorder } from '../ports.ts'
import type { PodEvictionCheck } from './api-status.ts'
import type { PodStatusProvider } from './status-manager-api.ts'

const reason = 'DeadlineExceeded'
const message = 'Pod was active on the node longer than the specified deadline'

/**
 * Ends pods that have been active longer than `spec.activeDeadlineSeconds`, counted from the status'
 * start time (semantics 5.9). `shouldSync` is what the loop's one-second tick asks, `shouldEvict` what
 * making the status asks; the latter records a Normal event each time it says yes, as the kubelet does.
 */
export class ActiveDeadlineHandler implements PodEvictionCheck {
  readonly #deps: {
    readonly clock: Clock
    readonly events: EventRecorder
    readonly statuses: PodStatusProvider
  }

  constructor(deps: {
    readonly clock: Clock
    readonly events: EventRecorder
    readonly statuses: PodStatusProvider
  }) {
    this.#deps = deps
  }

  readonly shouldSync = (pod: Pod): boolean => {
    const deadlineSeconds = pod.spec.activeDeadlineSeconds
    if (deadlineSeconds === undefined) return false
    const status = this.#deps.statuses.getPodStatus(pod.metadata.uid) ?? pod.status
    const startedAt = fromTimestamp(status?.startTime)
    if (startedAt === undefined) return false
    return this.#deps.clock.now() - startedAt >= deadlineSeconds * 1000
  }

  readonly shouldEvict: PodEvictionCheck['shouldEvict'] = (pod) => {
    if (!this.shouldSync(pod)) return undefined
    this.#deps.events.event({ kind: 'pod', pod }, 'Normal', reason, message)
    return { reason, message }
  }
}
