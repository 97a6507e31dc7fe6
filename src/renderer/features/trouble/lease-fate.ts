/** When the control plane gives a node up, in seconds after its last lease. Semantics 9.5: the defaults of the controller manager. */
export const fate = {
  /** node-monitor-grace-period before 1.32. */
  graceBefore132: 40,
  /** node-monitor-grace-period: Ready turns Unknown at the next look, five seconds later at most. */
  unknown: 50,
  /** The taint's default toleration of 300 s has run out: pods get a deletionTimestamp. */
  evicted: 350,
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
  const rest = Math.min(1, (after - fate.unknown) / (fate.evicted - fate.unknown))
  const drawn = breakFrom - unknownX + (right - breakTo)
  const x = unknownX + rest * drawn
  return x <= breakFrom ? x : x + (breakTo - breakFrom)
}

/** What the cluster thinks by now, in one sentence. `seconds` after the last lease; `status` as kubectl shows it. Pure. */
export function fateSentence(seconds: number, status: string): string {
  if (seconds < fate.unknown && !status.startsWith('Ready'))
    return `The control plane considers the node ${status}, its last reported status.`
  if (seconds < fate.unknown)
    return 'The control plane considers the node Ready: its lease is current.'
  if (seconds < fate.evicted)
    return 'The control plane considers the node Unknown and its pods not ready. They keep running.'
  return 'The control plane has marked the node’s pods for deletion, except static pods and pods that tolerate the taint. They keep running until the kubelet receives the deletion.'
}
