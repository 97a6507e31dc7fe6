import type { GraceView, PodKey } from '../../../shared/model/pod-row.ts'

/** A mirror that was deleted from the start page, and what came of it. */
export interface MirrorTry {
  readonly key: PodKey
  readonly oldUid: string
  /** Null until the kubelet has made it anew. */
  readonly newUid: string | null
  /** When the first container started, as its status has it, before and after; null while it is not known. */
  readonly startedBefore: string | null
  readonly startedAfter: string | null
  /** Why it was not done; else empty. */
  readonly error: string
}

/** A pod that was deleted with a short grace from the start page, and what came of it. */
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
