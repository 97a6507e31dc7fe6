import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import { tracePod } from '../pod/identity.ts'
import type { Clock, EventRecorder, Trace } from '../ports.ts'
import type { PodEvictionCheck } from './api-status.ts'
import type { PodStatusProvider } from './status-manager-api.ts'

const reason = 'DeadlineExceeded'
const message = 'Pod was active on the node longer than the specified deadline'

interface ActiveDeadlineDeps {
  readonly clock: Clock
  readonly recorder: EventRecorder
  readonly trace: Trace
  readonly statuses: PodStatusProvider
}

/**
 * Ends pods that have been active longer than `spec.activeDeadlineSeconds`, counted from the status'
 * start time (termination#active-deadline). `shouldSync` is what the loop's one-second tick asks, `shouldEvict` what
 * making the status asks; the latter records a Normal event each time it says yes, as the kubelet does.
 */
export class ActiveDeadlineHandler implements PodEvictionCheck {
  readonly #deps: ActiveDeadlineDeps

  constructor(deps: ActiveDeadlineDeps) {
    this.#deps = deps
  }

  readonly shouldSync = (pod: Pod): boolean => this.#exceeded(pod) !== undefined

  readonly shouldEvict: PodEvictionCheck['shouldEvict'] = (pod, causes) => {
    const exceeded = this.#exceeded(pod)
    if (exceeded === undefined) return undefined
    const { recorder, trace } = this.#deps
    const seq = tracePod(trace, pod, 'pod.deadlineExceeded', causes, exceeded)
    recorder.event({ kind: 'pod', pod }, 'Normal', reason, message, [seq])
    return { reason, message }
  }

  #exceeded(
    pod: Pod,
  ): { readonly activeMs: number; readonly activeDeadlineSeconds: number } | undefined {
    const { activeDeadlineSeconds } = pod.spec
    if (activeDeadlineSeconds === undefined) return undefined
    const status = this.#deps.statuses.getPodStatus(pod.metadata.uid) ?? pod.status
    const startedAt = fromTimestamp(status?.startTime)
    if (startedAt === undefined) return undefined
    const activeMs = this.#deps.clock.now() - startedAt
    return activeMs < activeDeadlineSeconds * 1000 ? undefined : { activeMs, activeDeadlineSeconds }
  }
}
