import type { Pod } from '../../../shared/kubernetes/objects.ts'

/** What is in use after a request to stop, and whether that is other than before. */
export interface EffectiveGracePeriod {
  /** At least 1. */
  readonly seconds: number
  readonly isChanged: boolean
}

/**
 * The grace period in seconds of a pod that is to stop (termination#grace-period). `recorded`: what the worker's
 * record holds, 0 for none yet. The pod's deletion and the override can make it shorter. The kubelet's quirk
 * stays: 0 also means "unset" half way through, so that beside a deletion grace of 0 any override counts,
 * even one that is longer than what is recorded.
 */
export function effectiveGracePeriod(
  recorded: number,
  pod: Pod,
  override: number | undefined,
): EffectiveGracePeriod {
  let grace = recorded
  let isOverridden = false
  for (const wanted of [pod.metadata.deletionGracePeriodSeconds, override]) {
    if (wanted === undefined || (grace !== 0 && wanted >= grace)) continue
    grace = wanted
    isOverridden = true
  }
  const { terminationGracePeriodSeconds } = pod.spec
  if (!isOverridden && grace === 0 && terminationGracePeriodSeconds !== undefined)
    grace = terminationGracePeriodSeconds
  const seconds = Math.max(1, grace)
  return { seconds, isChanged: recorded !== 0 && seconds !== recorded }
}
