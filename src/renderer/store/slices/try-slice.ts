import type { GraceView, PodKey } from '../../../shared/model/pod-row.ts'

/** The deletion of a mirror from the start page, and its result. */
export interface MirrorTry {
  readonly key: PodKey
  readonly oldUid: string
  /** Null until the kubelet has recreated it. */
  readonly newUid: string | null
  /** When the first container started, from its status, before and after; null while unknown. */
  readonly startedBefore: string | null
  readonly startedAfter: string | null
  /** Why it failed; else empty. */
  readonly error: string
}

/** The deletion of a pod with a short grace period from the start page, and its result. */
export interface GraceTry {
  readonly key: PodKey
  readonly name: string
  readonly namespace: string
  readonly grace: GraceView | null
  readonly exitCode: number | null
  readonly isGone: boolean
  readonly error: string
}

export interface TrySlice {
  readonly mirrorTry: MirrorTry | null
  readonly graceTry: GraceTry | null
}

export function trySlice(): TrySlice {
  return { mirrorTry: null, graceTry: null }
}
