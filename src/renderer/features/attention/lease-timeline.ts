import { afterLastLease } from '../../../shared/model/node/node-loss.ts'
import { text } from '../../text/text.ts'

const words = text.attention.lease
const { unknown, podsDeleted, graceBefore132 } = afterLastLease

/** The latest times at which the control plane acts on a node, in seconds after its last lease. */
export const deadlines = {
  before132: graceBefore132 + unknown.latest - unknown.earliest,
  unknown: unknown.latest,
  podsDeleted: podsDeleted.latest,
} as const

const left = 8
const unknownX = 218
const breakFrom = 284
const breakTo = 308
const right = 376

/** Where a time is on the axis: to scale up to Unknown, then broken. `seconds` after the last lease. Pure. */
export function timelineX(seconds: number): number {
  const after = Math.max(0, seconds)
  if (after <= deadlines.unknown) return left + (after / deadlines.unknown) * (unknownX - left)
  const rest = Math.min(
    1,
    (after - deadlines.unknown) / (deadlines.podsDeleted - deadlines.unknown),
  )
  const drawn = breakFrom - unknownX + (right - breakTo)
  const x = unknownX + rest * drawn
  return x <= breakFrom ? x : x + (breakTo - breakFrom)
}

/** How the control plane considers the node now, in one sentence. `seconds` after the last lease; `status` as kubectl shows it. Pure. */
export function nodeSentence(seconds: number, status: string): string {
  if (seconds < unknown.earliest)
    return status.startsWith('Ready') ? words.ready : words.reported(status)
  if (seconds < unknown.latest) return words.expired
  if (seconds < podsDeleted.earliest) return words.unknown
  return seconds < podsDeleted.latest ? words.deleting : words.deleted
}
