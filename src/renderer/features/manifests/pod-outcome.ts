import type { GraceView, PodRow } from '../../../shared/model/pod-row.ts'

/** kubelet --file-check-frequency: the interval of the full scans of the folder. */
const relistSeconds = 20

/** What happens to the pod of an invalid manifest. */
export type PodOutcome =
  /** The last valid version runs until the next full scan, at most `relistIn` seconds from now. */
  | { readonly kind: 'runs'; readonly savedAgo: number; readonly relistIn: number }
  /** The source keeps the pod: a single file that is invalid emits nothing. */
  | { readonly kind: 'kept'; readonly savedAgo: number }
  | { readonly kind: 'stopping'; readonly savedAgo: number; readonly grace: GraceView | null }
  | { readonly kind: 'nothing' }

/**
 * sources#file-source: a manifest that becomes invalid keeps its pod until the next relist, which finds no pod in it.
 * `savedAgo` in seconds on the cluster's clock, as far as the page knows. Pure.
 */
export function podOutcome(
  row: PodRow | undefined,
  { savedAgo, isSingleFile }: { readonly savedAgo: number; readonly isSingleFile: boolean },
): PodOutcome {
  switch (row?.worker) {
    case 'waiting':
    case 'SyncPod':
      return isSingleFile
        ? { kind: 'kept', savedAgo }
        : { kind: 'runs', savedAgo, relistIn: Math.max(0, relistSeconds - savedAgo) }
    case 'TerminatingPod':
      return { kind: 'stopping', savedAgo, grace: row.grace }
    default:
      return { kind: 'nothing' }
  }
}

/** Places on the axis, 0 to 1, with room for each word; now moves between them. */
export const axisPlaces = { saved: 0.08, relist: 0.46, kill: 0.84 } as const

/** The place of now on the axis. Pure. */
export function placeOfNow(course: PodOutcome, now: number): number {
  const { saved, relist, kill } = axisPlaces
  if (course.kind === 'runs') {
    const share = Math.min(1, course.savedAgo / relistSeconds)
    // Clear of the words on both sides.
    return Math.min(relist - 0.13, Math.max(saved + 0.12, saved + share * (relist - saved)))
  }
  if (course.kind === 'stopping' && course.grace !== null) {
    const { startedAt, killAt } = course.grace
    const share = killAt <= startedAt ? 1 : (now - startedAt) / (killAt - startedAt)
    return relist + 0.04 + Math.min(1, Math.max(0, share)) * (kill - relist - 0.08)
  }
  return course.kind === 'stopping' ? relist + 0.1 : saved + 0.2
}
