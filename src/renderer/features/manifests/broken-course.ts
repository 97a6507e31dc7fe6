import type { GraceView, PodRow } from '../../../shared/model/pod-row.ts'

/** kubelet --file-check-frequency: so often the folder is listed whole. */
const relistSeconds = 20

/** Where the pod of a broken manifest stands on its way out. */
export type BrokenCourse =
  /** The last good version runs until the folder is listed again, at most `relistIn` seconds from now. */
  | { readonly kind: 'runs'; readonly savedAgo: number; readonly relistIn: number }
  /** The source keeps it: one single file that is not valid emits nothing. */
  | { readonly kind: 'kept'; readonly savedAgo: number }
  | { readonly kind: 'stopping'; readonly savedAgo: number; readonly grace: GraceView | null }
  | { readonly kind: 'nothing' }

/**
 * sources#file-source: a manifest made invalid keeps its pod until the next relist, which finds none in it.
 * `savedAgo` in seconds on the cluster's clock, as well as the page can tell. Pure.
 */
export function brokenCourse(
  row: PodRow | undefined,
  { savedAgo, isSingleFile }: { readonly savedAgo: number; readonly isSingleFile: boolean },
): BrokenCourse {
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

/** Places on the axis, 0 to 1, that leave each word its room; now moves between them. */
export const axisPlaces = { saved: 0.08, relist: 0.46, kill: 0.84 } as const

/** Where now stands on the axis. Pure. */
export function placeOfNow(course: BrokenCourse, now: number): number {
  const { saved, relist, kill } = axisPlaces
  if (course.kind === 'runs') {
    const share = Math.min(1, course.savedAgo / relistSeconds)
    // Apart from both words beside it.
    return Math.min(relist - 0.13, Math.max(saved + 0.12, saved + share * (relist - saved)))
  }
  if (course.kind === 'stopping' && course.grace !== null) {
    const { startedAt, killAt } = course.grace
    const share = killAt <= startedAt ? 1 : (now - startedAt) / (killAt - startedAt)
    return relist + 0.04 + Math.min(1, Math.max(0, share)) * (kill - relist - 0.08)
  }
  return course.kind === 'stopping' ? relist + 0.1 : saved + 0.2
}
