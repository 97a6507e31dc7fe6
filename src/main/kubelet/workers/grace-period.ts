import type { Pod } from '../../../shared/kubernetes/objects.ts'

/** What is in use after a request to stop, and whether that is less than before. */
export interface EffectiveGracePeriod {
  /** At least 1. */
  readonly seconds: number
  readonly isShortened: boolean
}

/**
 * The grace period in seconds of a pod that is to stop (semantics 4.6). `recorded`: what the worker's
 * record holds, 0 for none yet. It only ever shrinks. The quirk that 0 also means "unset" half way
 * through is the kubelet's: deletion grace 0 with an override of 10 gives 10 at first sight. There it can
 * also make a recorded grace grow; here invariant 6 of semantics 4.15 comes first.
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
  const seconds = Math.max(1, recorded === 0 ? grace : Math.min(recorded, grace))
  return { seconds, isShortened: recorded !== 0 && seconds !== recorded }
}
