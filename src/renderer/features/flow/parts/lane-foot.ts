import type { Lane, LaneName } from '../board/board.ts'
import type { Box, Point } from '../layout/box.ts'
import { bottom } from '../layout/box.ts'
import { fitText, wrapText } from '../layout/fit.ts'
import { tokenBox } from '../layout/lanes.ts'

/** A line of text at its place. */
export interface PlacedLine extends Point {
  readonly text: string
  readonly look: string
}

const pitch = 15

/** Lines one below the other. */
export function placed(
  lines: readonly string[],
  { x, y }: Point,
  look = 'faint',
): readonly PlacedLine[] {
  return lines.map((text, index) => ({ text, look, x, y: y + index * pitch }))
}

function waitingFoot({ shown: [first] }: Lane, box: Box, drawn: number): readonly PlacedLine[] {
  const width = box.width - 14
  const x = box.x + 8
  if (first === undefined)
    return placed(wrapText('no worker is waiting', width, 2), { x, y: box.y + 76 })
  const reason = wrapText(first.row.workerReason, width, drawn > 1 ? 3 : 6)
  return placed(reason, { x, y: tokenBox('waiting', box, drawn).y + 13 }, '')
}

/** The most frequent STATUS words, from below the pods to the lane's end. */
function terminatedFoot({ tallies }: Lane, box: Box, isMore: boolean): readonly PlacedLine[] {
  const top = tokenBox('TerminatedPod', box, 2).y + (isMore ? 19 : 0)
  const room = Math.max(0, Math.min(2, Math.floor((bottom(box) - 6 - top) / pitch)))
  const words = tallies.slice(0, room)
  return words.map(({ word, count, tone }, index) => ({
    text: fitText(`${count} ${word === '' ? 'without status' : word}`, box.width - 14),
    look: tone === 'bad' ? 'error' : 'faint',
    x: box.x + 10,
    y: bottom(box) - 10 - (words.length - 1 - index) * pitch,
  }))
}

/** What a lane says under its `drawn` pods, and under the line for those without room. Pure. */
export function laneFoot(
  name: LaneName,
  lane: Lane,
  box: Box,
  { drawn, isMore }: { readonly drawn: number; readonly isMore: boolean },
): readonly PlacedLine[] {
  const isEmpty = lane.total === 0
  switch (name) {
    case 'waiting':
      return waitingFoot(lane, box, drawn + (isMore ? 1 : 0))
    case 'TerminatedPod':
      return terminatedFoot(lane, box, isMore)
    case 'TerminatedAndRecreatedPod':
      return isMore
        ? []
        : placed([isEmpty ? 'no UID reused' : 'UID reused'], {
            x: box.x + 8,
            y: box.y + (isEmpty ? 76 : 95),
          })
    case 'SyncPod':
    case 'TerminatingPod':
    default:
      return []
  }
}
