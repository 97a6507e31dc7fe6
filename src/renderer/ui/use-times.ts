import { humanDuration } from '../../shared/kubernetes/printers/age.ts'
import type { GraceView } from '../../shared/model/pod-row.ts'
import { useTicking } from '../store/store-context.ts'
import { graceLeft } from '../words/time.ts'

/** How long ago `at` was on the cluster's clock, as kubectl writes ages; empty for null. */
export function useAge(cluster: string, at: number | null): string {
  return useTicking(cluster, (now) => (at === null ? '' : humanDuration(now - at)), '')
}

/** Whole seconds until SIGKILL; 0 without a grace period. */
export function useGraceLeft(cluster: string, grace: GraceView | null): number {
  return useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
}
