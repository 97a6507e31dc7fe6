import { assertNever } from '../../../shared/assert-never.ts'
import type { MirrorState } from '../../../shared/model/pod-row.ts'
import { isMirrorPod, isStaticPod } from '../../kubelet/pod/identity.ts'
import { mirrorState } from './mirror-state.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { clause } from '../../../shared/model/explanation/explanation-words.ts'

export const staleBecause = 'It was created from another version of the manifest'
export const deletingBecause = 'A delete was requested through the API'

/** Whether SyncPod, which alone creates mirrors, runs for this pod. */
export type SyncPodState = 'notYet' | 'runs' | 'stopping' | 'ended'

export function syncPodState({ worker }: Pick<PodKnowledge, 'worker'>): SyncPodState {
  const state = worker?.state
  switch (state) {
    case undefined:
    case 'none':
    case 'noKubelet':
    case 'waiting':
      return 'notYet'
    case 'SyncPod':
      return 'runs'
    case 'TerminatingPod':
    case 'TerminatedPod':
    case 'TerminatedAndRecreatedPod':
      return 'stopping'
    case 'finished':
      return 'ended'
    default:
      return assertNever(state, 'worker state')
  }
}

function nextSync({ worker }: PodKnowledge): string {
  const at = worker?.nextSyncAt ?? null
  return at === null ? 'the next SyncPod' : `the next SyncPod, at ${timeOfDay(at)} or before,`
}

function missingReason(known: PodKnowledge): string {
  const { worker, isServerAway, mirrorFailure } = known
  const reasons: Readonly<Record<SyncPodState, () => string>> = {
    notYet: () =>
      worker === undefined
        ? 'It has no worker, and only SyncPod creates the mirror.'
        : 'Its worker waits to start; the first SyncPod creates the mirror.',
    stopping: () => 'The pod is terminating: SyncPod, which creates the mirror, no longer runs.',
    ended: () => 'The pod has terminated: SyncPod, which creates the mirror, no longer runs.',
    runs: () => {
      if (isServerAway)
        return 'The API server does not respond; the first SyncPod afterwards creates the mirror.'
      if (mirrorFailure !== undefined)
        return `Not created: ${clause(mirrorFailure)}; ${nextSync(known)} retries.`
      return worker?.working === true
        ? 'SyncPod is running and creates it.'
        : `It is missing; ${nextSync(known)} creates it.`
    },
  }
  return reasons[syncPodState(known)]()
}

function replacedReason(known: PodKnowledge, because: string): string {
  const noLongerRuns = 'SyncPod, which would replace it, no longer runs for this pod.'
  const replaced: Readonly<Record<SyncPodState, string>> = {
    notYet: 'the first SyncPod deletes it by its UID and recreates it.',
    stopping: noLongerRuns,
    ended: noLongerRuns,
    runs: known.isServerAway
      ? 'it is replaced when the API server responds again.'
      : `${nextSync(known)} deletes it by its UID and recreates it; the containers keep running.`,
  }
  return `${because}; ${replaced[syncPodState(known)]}`
}

const reasonFor: Readonly<Record<MirrorState, (known: PodKnowledge) => string>> = {
  matched: () => '',
  missing: missingReason,
  stale: (known) => replacedReason(known, staleBecause),
  deleting: (known) => replacedReason(known, deletingBecause),
}

/** Why the mirror is missing or outdated, and what corrects it, in one sentence; empty if nothing is wrong. Pure. */
export function mirrorReason(known: PodKnowledge): string {
  const { pod, mirror } = known
  if (isStaticPod(pod)) return reasonFor[mirrorState(pod, mirror)](known)
  return isMirrorPod(pod) && known.noKubelet === ''
    ? 'The node has no static pod of this name; housekeeping deletes it within 2 s, once every source has been read.'
    : ''
}
