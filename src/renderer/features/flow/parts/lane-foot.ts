import { text } from '../../../text/text.ts'
import type { DrawnPods, LaneName, PodGroup } from '../board/board.ts'
import type { Box, Point } from '../layout/box.ts'
import { bottom } from '../layout/box.ts'
import { fitText, wrapText } from '../layout/fit.ts'
import { tokenBox } from '../layout/lanes.ts'
import type { TextProps } from './drawing.tsx'

const pitch = 15

/** Lines one below the other, the first one at a point. */
export function stackedLines(
  lines: readonly string[],
  { x, y }: Point,
  classes = 'faint',
): readonly TextProps[] {
  return lines.map((words, index) => ({ words, classes, x, y: y + index * pitch }))
}

/** The most frequent STATUS words, from below the pods to the lane's end. */
function statusTallies({ tallies }: PodGroup, box: Box, isMore: boolean): readonly TextProps[] {
  const top = tokenBox('TerminatedPod', box, 2).y + (isMore ? 19 : 0)
  const room = Math.max(0, Math.min(2, Math.floor((bottom(box) - 6 - top) / pitch)))
  const drawn = tallies.slice(0, room)
  return drawn.map(({ word, count, tone }, index) => ({
    words: fitText(text.flow.lanes.tally(count, word), box.width - 14),
    classes: tone === 'bad' ? 'error' : 'faint',
    x: box.x + 10,
    y: bottom(box) - 10 - (drawn.length - 1 - index) * pitch,
  }))
}

/** What a lane says under its pods, and under the line for those without room. Pure. */
export function laneFoot(
  name: LaneName,
  lane: PodGroup,
  box: Box,
  { tokens, more }: DrawnPods,
): readonly TextProps[] {
  const { noneWaiting, uidReused, noUidReused } = text.flow.lanes
  const place = { x: box.x + 8, y: box.y + 76 }
  switch (name) {
    case 'waiting': {
      const [first] = lane.shown
      const width = box.width - 14
      if (first === undefined) return stackedLines(wrapText(noneWaiting, width, 2), place)
      const drawn = tokens.length + (more > 0 ? 1 : 0)
      const reason = wrapText(first.row.workerReason, width, drawn > 1 ? 3 : 6)
      return stackedLines(reason, { ...place, y: tokenBox('waiting', box, drawn).y + 13 }, '')
    }
    case 'TerminatedPod':
      return statusTallies(lane, box, more > 0)
    case 'TerminatedAndRecreatedPod':
      if (more > 0) return []
      return lane.total === 0
        ? stackedLines([noUidReused], place)
        : stackedLines([uidReused], { ...place, y: box.y + 95 })
    case 'SyncPod':
    case 'TerminatingPod':
    default:
      return []
  }
}
