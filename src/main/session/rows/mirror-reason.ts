import { assertNever } from '../../../shared/assert-never.ts'
import type { MirrorState } from '../../../shared/model/pod-row.ts'
import { isMirror, isStatic } from '../../kubelet/pod/identity.ts'
import { mirrorState } from './mirror-state.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { timeOfDay } from '../../../shared/kubernetes/timestamps.ts'
import { clause } from '../../../shared/model/explanation/explanation-words.ts'

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
  const state = syncPodState(known)
  switch (state) {
    case 'notYet':
      return known.worker === undefined
        ? 'It has no worker, and only SyncPod creates the mirror.'
        : 'Its worker waits to start; the first SyncPod creates the mirror.'
    case 'stopping':
      return 'The pod is terminating: SyncPod, which creates the mirror, no longer runs.'
    case 'ended':
      return 'The pod has terminated: SyncPod, which creates the mirror, no longer runs.'
    case 'runs':
      break
    default:
      return assertNever(state, 'state of SyncPod')
  }
  if (known.isServerAway)
    return 'The API server does not respond; the first SyncPod afterwards creates the mirror.'
  if (known.mirrorTrouble !== undefined)
    return `Not created: ${clause(known.mirrorTrouble)}; ${nextSync(known)} retries.`
  return known.worker?.working === true
    ? 'SyncPod is running and creates it.'
    : `It is missing; ${nextSync(known)} creates it.`
}

function replacedReason(known: PodKnowledge, because: string): string {
  const state = syncPodState(known)
  switch (state) {
    case 'notYet':
      return `${because}; the first SyncPod deletes it by its UID and recreates it.`
    case 'stopping':
    case 'ended':
      return `${because}; SyncPod, which would replace it, no longer runs for this pod.`
    case 'runs':
      return known.isServerAway
        ? `${because}; it is replaced when the API server responds again.`
        : `${because}; ${nextSync(known)} deletes it by its UID and recreates it; the containers keep running.`
    default:
      return assertNever(state, 'state of SyncPod')
  }
}

function reasonFor(state: MirrorState, known: PodKnowledge): string {
  switch (state) {
    case 'matched':
      return ''
    case 'missing':
      return missingReason(known)
    case 'stale':
      return replacedReason(known, 'It was created from another version of the manifest')
    case 'deleting':
      return replacedReason(known, 'A delete was requested through the API')
    default:
      return assertNever(state, 'mirror state')
  }
}

/** Why the mirror is missing or outdated, and what corrects it, in one sentence; empty if nothing is wrong. Pure. */
export function mirrorReason(known: PodKnowledge): string {
  const { pod, mirror } = known
  if (isStatic(pod)) return reasonFor(mirrorState(pod, mirror), known)
  return isMirror(pod)
    ? 'The node has no static pod of this name; housekeeping deletes it within 2 s, once every source has been read.'
    : ''
}
