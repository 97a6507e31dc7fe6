import { timeOfDay } from '../../kubernetes/timestamps.ts'
import type { WhyStep } from './why-steps.ts'

// The steps of a stop in words, for a worker that is seen and for one that is inferred.

export const stillHereQuestion = 'Why is it still here?'

/** `at`: ms; null: not known. */
export function requestedText(at: number | null, because: string): string {
  const when = at === null ? '' : ` at ${timeOfDay(at)}`
  return `Termination was requested${when}${because === '' ? '' : `: ${because}`}.`
}

/** `Container web still runs`, `web, log still run`. At least one name. */
export function stillRunningText(running: readonly string[]): string {
  const [first = ''] = running
  return running.length === 1 ? `Container ${first} still runs` : `${running.join(', ')} still run`
}

export function containersStoppedText(at: number | null): string {
  return at === null ? 'No container runs.' : `Its containers had stopped at ${timeOfDay(at)}.`
}

/** SyncTerminatedPod; `cgroup`: what it does with that of the pod. */
export function cleanUpStep(
  cgroup: string,
  about: { readonly isDone: boolean; readonly source: string },
): WhyStep {
  return {
    ...about,
    done: 'SyncTerminatedPod has cleaned up.',
    now: `SyncTerminatedPod waits until its volumes are unmounted${cgroup}.`,
    next: `Then SyncTerminatedPod waits until its volumes are unmounted${cgroup}.`,
    section: 'pod-workers#sync-functions',
  }
}

/** The DELETE that ends a pod whose object has a deletionTimestamp. */
export function deletedObjectStep(about: {
  readonly finalizers: readonly string[]
  readonly isServerAway: boolean
}): WhyStep {
  const { finalizers, isServerAway } = about
  const section = 'status#sending-a-status'
  if (finalizers.length > 0) {
    const holds = `the object stays until its finalizers are removed: ${finalizers.join(', ')}.`
    return {
      now: `The kubelet has sent DELETE with grace period 0; ${holds}`,
      next: `Then the kubelet deletes it, and ${holds}`,
      source: 'metadata.finalizers',
      section,
    }
  }
  const deletes = 'the kubelet deletes the object with grace period 0 and its UID as precondition.'
  const now = isServerAway
    ? `The API server does not respond; when it does, ${deletes}`
    : `T${deletes.slice(1)}`
  return { now, next: `Then ${deletes}`, source: 'metadata.deletionTimestamp', section }
}

/** Of a static pod whose manifest is gone. */
export function manifestGoneStep(source: string): WhyStep {
  return {
    now: 'Its manifest is gone: housekeeping, every 2 s, removes the worker and deletes the mirror.',
    next: 'Then housekeeping removes the worker and deletes the mirror: its manifest is gone.',
    source,
    section: 'pod-workers#syncknownpods',
  }
}
