import { assertNever } from '../../../shared/assert-never.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { PairState } from '../../store/mirrors-order.ts'
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
    ? 'The next sync of the static pod makes one.'
    : 'Only SyncPod makes a mirror, and this pod’s worker is past it.'
}

/** Why the two are as they are, in one sentence. Pure. */
export function pairReason(row: PodRow, state: PairState): string {
  if (state === 'orphaned') return sentence(row.workerReason)
  if (row.mirrorReason !== '') return sentence(row.mirrorReason)
  switch (state) {
    case 'equal':
      return 'The mirror shows this version: its config.hash is the static pod’s UID.'
    case 'differs':
      return 'Its hash is of another version. MirrorClient deletes it by UID and posts a new one at the next SyncPod.'
    case 'missing':
      return missingReason(row)
    case 'deleting':
      return makesMirrors(row)
        ? 'It has a deletionTimestamp: the next SyncPod deletes it with grace 0 and posts a new one.'
        : 'It has a deletionTimestamp; only SyncPod would post a new one.'
    default:
      return assertNever(state, 'pair state')
  }
}

function sentence(text: string): string {
  if (text === '') return ''
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
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
        meaning: 'The API server gives the mirror its own; the two are never equal.',
      }
    case 'mirrorOnly':
      return {
        word: 'mirror only',
        meaning: 'The mirror client adds it when it makes the mirror.',
      }
    case 'stale':
      return { word: 'stale', meaning: 'The mirror was made from another version of the manifest.' }
    case 'ownMark':
      return {
        word: 'kubelet’s mark',
        meaning:
          'The kubelet marks each pod with where and when it came to it: this one from the API. The API server has the static pod’s.',
      }
    case 'seenAgain':
      return {
        word: 'seen again',
        meaning:
          'When the kubelet first saw the pod. It was started anew since the mirror was made; the hash is what counts.',
      }
    case 'added':
      return {
        word: 'added by the API',
        meaning: 'A default or an admission plugin of the API server put it there.',
      }
    case 'absent':
      return { word: 'not in the mirror', meaning: 'The object in the API lacks it.' }
    case 'changed':
      return {
        word: 'changed in the API',
        meaning:
          'Somebody changed the mirror. The kubelet does not read it back: the hash is equal.',
      }
    default:
      return assertNever(reason, 'reason')
  }
}
