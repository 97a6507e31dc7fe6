import { humanDuration } from '../../shared/kubernetes/printers/age.ts'
import type { GraceView } from '../../shared/model/pod-row.ts'
import { useTicking } from '../store/store-context.ts'
import { elapsedShare, graceLeft } from '../words/time.ts'

/** How long ago `at` was on the cluster's clock, as kubectl writes ages; empty for null. */
export function useAge(cluster: string, at: number | null): string {
  return useTicking(cluster, (now) => (at === null ? '' : humanDuration(now - at)), '')
}

/** Whole seconds until SIGKILL; 0 without a grace period. */
export function useGraceLeft(cluster: string, grace: GraceView | null): number {
  return useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
}

/** How much of the time between two moments on the cluster's clock is over, in percent. */
export function useElapsedPercent(cluster: string, from: number, to: number): number {
  return useTicking(cluster, (now) => Number((elapsedShare(from, to, now) * 100).toFixed(1)), 0)
}
