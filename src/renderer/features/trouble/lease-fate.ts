import { afterLastLease } from '../../../shared/model/node-loss.ts'

const { unknown, podsDeleted, graceBefore132 } = afterLastLease

/** The latest moments at which the control plane gives a node up, in seconds after its last lease. */
export const fate = {
  before132: graceBefore132 + unknown.latest - unknown.earliest,
  unknown: unknown.latest,
  podsDeleted: podsDeleted.latest,
} as const

const left = 8
const unknownX = 218
const breakFrom = 284
const breakTo = 308
const right = 376

/** Where a time stands on the axis: to scale up to Unknown, then broken. `seconds` after the last lease. Pure. */
export function fateX(seconds: number): number {
  const after = Math.max(0, seconds)
  if (after <= fate.unknown) return left + (after / fate.unknown) * (unknownX - left)
  const rest = Math.min(1, (after - fate.unknown) / (fate.podsDeleted - fate.unknown))
  const drawn = breakFrom - unknownX + (right - breakTo)
  const x = unknownX + rest * drawn
  return x <= breakFrom ? x : x + (breakTo - breakFrom)
}

/** What the control plane makes of the node by now, in one sentence. `seconds` after the last lease; `status` as kubectl shows it. Pure. */
export function fateSentence(seconds: number, status: string): string {
  if (seconds < unknown.earliest && !status.startsWith('Ready'))
    return `The control plane considers the node ${status}, its last reported status.`
  if (seconds < unknown.earliest)
    return 'The control plane considers the node Ready: its lease is current.'
  if (seconds < unknown.latest)
    return 'The lease has expired: at its next check, the control plane considers the node Unknown and its pods not ready. They keep running.'
  if (seconds < podsDeleted.earliest)
    return 'The control plane considers the node Unknown and its pods not ready. They keep running.'
  if (seconds < podsDeleted.latest)
    return 'The control plane is about to mark the node’s pods for deletion, except static pods and pods that tolerate the taint. They keep running.'
  return 'The control plane has marked the node’s pods for deletion, except static pods and pods that tolerate the taint. They keep running until the kubelet receives the deletion.'
}
