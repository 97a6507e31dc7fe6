import { systemCriticalPriority } from '../../../shared/kubernetes/critical-pod.ts'
import type { ShutdownGrace } from '../../store/slices/node-acts-slice.ts'
import { text } from '../../text/text.ts'

export interface ShutdownPod {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly priority: number
  readonly specGraceSeconds: number
}

export interface PlannedPod extends ShutdownPod {
  /** Its own grace or its group's, whichever is less. */
  readonly graceSeconds: number
}

export interface PlannedGroup {
  readonly name: 'low' | 'critical'
  /** Counted from the click, at the latest: a group ends as soon as all its pods have stopped. */
  readonly fromSeconds: number
  readonly seconds: number
  readonly pods: readonly PlannedPod[]
}

/**
 * The two groups of a graceful shutdown, in the order in which they end (node#graceful-shutdown, kubelet
 * migrateConfig): only the priority counts, also for static pods. Pure.
 */
export function planShutdown(
  pods: readonly ShutdownPod[],
  { total, critical }: ShutdownGrace,
): readonly PlannedGroup[] {
  const group = (
    name: PlannedGroup['name'],
    fromSeconds: number,
    seconds: number,
  ): PlannedGroup => ({
    name,
    fromSeconds,
    seconds,
    pods: pods
      .filter(({ priority }) => priority >= systemCriticalPriority === (name === 'critical'))
      .map((pod) => ({ ...pod, graceSeconds: Math.min(pod.specGraceSeconds, seconds) })),
  })
  const low = Math.max(0, total - critical)
  return [group('low', 0, low), group('critical', low, critical)]
}

/** Why the two numbers are invalid; else empty (ValidateKubeletConfiguration). Pure. */
export function graceProblem({ total, critical }: ShutdownGrace): string {
  if (total < 1) return text.nodes.shutdown.noTime
  return critical > total ? text.nodes.shutdown.criticalOverTotal : ''
}
