/** The system's critical priority: from here on a pod is ended last (scheduling.SystemCriticalPriority). */
const criticalPriority = 2_000_000_000

export interface ShutdownPod {
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly priority: number
  readonly specGraceSeconds: number
}

export interface PlannedPod extends ShutdownPod {
  /** Its own grace, or what its group has, whichever is less. */
  readonly graceSeconds: number
}

export interface PlannedGroup {
  readonly name: 'low' | 'critical'
  /** Counted from the click: at the latest, since a group ends as soon as all its pods have stopped. */
  readonly fromSeconds: number
  readonly seconds: number
  readonly pods: readonly PlannedPod[]
}

/**
 * The two groups of a graceful shutdown, in the order in which they end (node#graceful-shutdown, kubelet
 * migrateConfig): being static makes no difference, the number alone does. Pure.
 */
export function planShutdown(
  pods: readonly ShutdownPod[],
  { total, critical }: { readonly total: number; readonly critical: number },
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
      .filter(({ priority }) => priority >= criticalPriority === (name === 'critical'))
      .map((pod) => ({ ...pod, graceSeconds: Math.min(pod.specGraceSeconds, seconds) })),
  })
  const low = Math.max(0, total - critical)
  return [group('low', 0, low), group('critical', low, critical)]
}

/** Why the two numbers cannot be taken; empty when they can (ValidateKubeletConfiguration). Pure. */
export function graceProblem({
  total,
  critical,
}: {
  readonly total: number
  readonly critical: number
}): string {
  if (total < 1) return 'The whole shutdown needs at least 1 s: 0 disables it.'
  return critical > total ? 'Critical pods cannot have more time than the whole shutdown.' : ''
}
