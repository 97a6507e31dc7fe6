import { sentence } from '../../../shared/model/explanation/explanation-words.ts'
import { assertNever } from '../../../shared/assert-never.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { PairState } from '../../store/rows/mirrors-order.ts'
import type { Reason } from './pair-diff.ts'

/** The word under the link between the two. */
export function pairWord(state: PairState): string {
  switch (state) {
    case 'equal':
      return 'hash equal'
    case 'differs':
      return 'hash differs'
    case 'missing':
    case 'deleting':
    case 'orphaned':
      return state
    default:
      return assertNever(state, 'pair state')
  }
}

/** Only SyncPod makes mirrors (kubelet pkg/kubelet/kubelet.go: tryReconcileMirrorPods). */
function makesMirrors({ worker }: PodRow): boolean {
  return worker === 'SyncPod' || worker === 'waiting'
}

function missingReason(row: PodRow): string {
  return makesMirrors(row)
    ? 'The next sync of the static pod creates one.'
    : 'Only SyncPod creates a mirror, and this pod is terminating or terminated.'
}

/** Why the two are as they are, in one sentence. Pure. */
export function pairReason(row: PodRow, state: PairState): string {
  if (state === 'orphaned') return sentence(row.workerReason)
  if (row.mirrorReason !== '') return sentence(row.mirrorReason)
  switch (state) {
    case 'equal':
      return 'The mirror is of this version: its config.mirror is the static pod’s config.hash.'
    case 'differs':
      return 'Its hash belongs to another version. The next SyncPod deletes it by UID and creates a new one.'
    case 'missing':
      return missingReason(row)
    case 'deleting':
      return makesMirrors(row)
        ? 'It has a deletionTimestamp: the next SyncPod deletes it with grace period 0 and creates a new one.'
        : 'It has a deletionTimestamp; only SyncPod would create a new one.'
    default:
      return assertNever(state, 'pair state')
  }
}

export interface ReasonWords {
  readonly word: string
  readonly meaning: string
}

/** Why a line of the diff differs: the words between the sides, and what they mean. */
export function reasonWords(reason: Exclude<Reason, ''>): ReasonWords {
  switch (reason) {
    case 'always':
      return {
        word: 'always differ',
        meaning: 'The API server assigns the mirror its own; the two always differ.',
      }
    case 'mirrorOnly':
      return {
        word: 'mirror only',
        meaning: 'The mirror client adds it when it creates the mirror.',
      }
    case 'stale':
      return {
        word: 'stale',
        meaning: 'The mirror was created from another version of the manifest.',
      }
    case 'ownMark':
      return {
        word: 'kubelet annotation',
        meaning:
          'The kubelet annotates each pod with its source and the time it was first seen. This one came from the API; the API server has the static pod’s values.',
      }
    case 'seenAgain':
      return {
        word: 'seen again',
        meaning:
          'When the kubelet first saw the pod. The kubelet restarted after it created the mirror; only the hash decides.',
      }
    case 'added':
      return {
        word: 'added by the API',
        meaning: 'Added by a default or an admission plugin of the API server.',
      }
    case 'absent':
      return { word: 'not in the mirror', meaning: 'Missing in the API object.' }
    case 'changed':
      return {
        word: 'changed in the API',
        meaning:
          'The mirror was changed through the API. The kubelet ignores this: the hash is equal.',
      }
    default:
      return assertNever(reason, 'reason')
  }
}
