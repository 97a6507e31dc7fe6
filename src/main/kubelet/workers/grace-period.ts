import type { Pod } from '../../../shared/kubernetes/objects.ts'

/** The grace after a request to stop, and whether it differs from the recorded one. */
export interface EffectiveGracePeriod {
  /** At least 1. */
  readonly seconds: number
  readonly isChanged: boolean
}

/**
 * The grace period in seconds of a pod that terminates (kubelet calculateEffectiveGracePeriod; termination#grace-period). `recorded`: what the worker's
 * record holds, 0 for none yet. The pod's deletion and the override can make it shorter. Like the
 * kubelet, it also takes 0 for "unset" half way through: after a deletion grace of 0 any override counts, even
 * one that is longer than the recorded grace.
 */
export function calculateEffectiveGracePeriod(
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
