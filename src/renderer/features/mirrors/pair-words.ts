import { sentence } from '../../../shared/model/explanation/explanation-words.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { PairState } from '../../store/rows/mirrors-order.ts'
import { text } from '../../text/text.ts'

/** Only SyncPod creates mirrors (kubelet pkg/kubelet/kubelet.go: tryReconcileMirrorPods). */
function createsMirrors({ worker }: PodRow): boolean {
  return worker === 'SyncPod' || worker === 'waiting'
}

/** Why a pair is in its state, in one sentence. Pure. */
export function pairReason(row: PodRow, state: PairState): string {
  const { whenSynced, notSynced } = text.mirrors.reasons
  if (state === 'orphaned') return sentence(row.workerReason)
  if (row.mirrorReason !== '') return sentence(row.mirrorReason)
  return (createsMirrors(row) ? whenSynced : notSynced)[state]
}
