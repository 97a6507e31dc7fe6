import type { VolumeFailure, VolumeProgress } from '../../../shared/model/inside-pod/pod-volumes.ts'
import { cutText } from '../../../shared/untrusted-text.ts'
import type { OperationFailure } from './operation-failures.ts'
import type { ActualVolume } from './volume-states.ts'

interface VolumeFacts {
  /** A container mounts it. */
  readonly isUsed: boolean
  readonly isDesired: boolean
  readonly actual: ActualVolume | undefined
  readonly pendingSince: number | undefined
  readonly failure: (OperationFailure & { readonly blockedUntil: number }) | undefined
  /** When the reconciler runs next after that time; undefined: it does not run. */
  readonly nextTryAt: (blockedUntil: number) => number | undefined
}

function failureOf({ failure, pendingSince, nextTryAt }: VolumeFacts): VolumeFailure | null {
  if (failure === undefined) return null
  const { firstAt, lastAt, count, message, blockedUntil } = failure
  const next = pendingSince === undefined ? nextTryAt(blockedUntil) : undefined
  return { firstAt, lastAt, count, message: cutText(message), nextTryAt: next ?? null }
}

function stateOf(facts: VolumeFacts): Pick<VolumeProgress, 'state' | 'since'> {
  const { isUsed, isDesired, actual, pendingSince, failure } = facts
  const since = pendingSince ?? null
  if (actual?.state === 'uncertain') return { state: 'uncertain', since: null }
  if (actual?.state === 'mounted')
    return isDesired
      ? { state: 'mounted', since: actual.mountedAt ?? null }
      : { state: 'unmounting', since }
  if (!isUsed) return { state: 'unused', since: null }
  if (!isDesired) return { state: 'absent', since: null }
  // A try that failed before is the same wait.
  return pendingSince === undefined || failure !== undefined
    ? { state: 'waiting', since: null }
    : { state: 'mounting', since }
}

/** How far one volume is, from what the volume manager knows of it. Pure. */
export function volumeProgress(facts: VolumeFacts): VolumeProgress {
  const { mountedAt = -Infinity, updatedAt = -Infinity } = facts.actual ?? {}
  return {
    ...stateOf(facts),
    updatedAt: updatedAt > mountedAt ? updatedAt : null,
    failure: failureOf(facts),
  }
}
