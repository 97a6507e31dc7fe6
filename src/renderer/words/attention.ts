import { sentence } from '../../shared/model/explanation/explanation-words.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import { text } from '../text/text.ts'

const words = text.attention.reasons

/** The words for a failing STATUS, without the `Init:` of an init container. */
const failing: ReadonlyMap<string, string> = new Map(Object.entries(words.failing))

/** Why a pod needs attention, in one sentence; empty where it does not. Pure. */
export function attentionReason(row: PodRow): string {
  const { heldBy, kind, mirror, mirrorReason, status, worker, workerReason } = row
  const isFailing = row.tone === 'bad'
  if (heldBy.length > 0) return words.finalizers(heldBy)
  // Without its kubelet it is not known whether a mirror has a static pod.
  if (kind === 'mirror' && worker !== 'noKubelet') return words.orphanedMirror
  if (worker === 'waiting') return sentence(workerReason) || words.waiting
  if (worker === 'noKubelet') return row.isMomentary === true ? '' : sentence(workerReason)
  if (worker === 'none' && isFailing && workerReason !== '') return sentence(workerReason)
  if (isFailing) return failing.get(status.replace(/^Init:/, '')) ?? words.status(status)
  if (mirror === 'missing' || mirror === 'stale')
    return sentence(mirrorReason) || words.mirror(mirror)
  if (row.isCutOff === true && worker !== 'finished') return words.cutOff(row.node)
  return ''
}
