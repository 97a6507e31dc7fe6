import type { Lane, LaneName } from './board.ts'
import type { Box } from './parts.ts'
import { pictureSize } from './parts.ts'

export type LaneBox = Box

const boxes: Readonly<Record<LaneName, Box>> = {
  waiting: { x: 641, y: 300, width: 106, height: 150 },
  SyncPod: { x: 762, y: 300, width: 193, height: 292 },
  TerminatingPod: { x: 970, y: 300, width: 114, height: 292 },
  TerminatedPod: { x: 1100, y: 300, width: 108, height: 150 },
  TerminatedAndRecreatedPod: { x: 1100, y: 478, width: 108, height: 114 },
}

/** Where a lane stands; the one of those that wait grows with them. Pure. */
export function laneBox(name: LaneName, lane: Lane): Box {
  const box = boxes[name]
  if (name !== 'waiting' || lane.total === 0) return box
  return { ...box, height: lane.total === 1 ? 186 : 292 }
}

/** Where a lane's pod stands. Pure. */
export function tokenBox(name: LaneName, lane: Box, index: number): Box {
  const { x, y, width } = lane
  switch (name) {
    case 'SyncPod':
      return { x: x + 6, y: y + 36 + index * 21, width: width - 12, height: 19 }
    case 'TerminatingPod':
      return { x: x + 6, y: y + 60 + index * 50, width: width - 12, height: 43 }
    case 'TerminatedAndRecreatedPod':
      return { x: x + 6, y: y + 63, width: width - 12, height: 21 }
    case 'waiting':
    case 'TerminatedPod':
    default:
      return { x: x + 6, y: y + 60 + index * 24, width: width - 12, height: 21 }
  }
}

/** Where `and 3 more` stands in a lane. Pure. */
export function moreBox(name: LaneName, lane: Box): Box {
  const line = { x: lane.x + 6, width: lane.width - 12, height: 19 }
  switch (name) {
    case 'SyncPod':
      return { ...line, y: lane.y + 36 + 11 * 21 }
    case 'TerminatingPod':
      return { ...line, y: lane.y + 264 }
    case 'waiting':
      return { ...line, y: lane.y + 60 + 6 * 24 }
    case 'TerminatedPod':
      return { ...line, y: lane.y + 106 }
    case 'TerminatedAndRecreatedPod':
    default:
      return { ...line, y: lane.y + 89 }
  }
}

/** The n-th tile of the runtime. Pure. */
export function tileBox(index: number): Box {
  return { x: 250 + index * 65, y: 676, width: 62, height: 58 }
}

/** A box of the picture as CSS places it over the picture, whatever the scale. Pure. */
export function overlay(box: Box): {
  readonly left: string
  readonly top: string
  readonly width: string
  readonly height: string
} {
  const across = (value: number): string => `${((value / pictureSize.width) * 100).toFixed(3)}%`
  const down = (value: number): string => `${((value / pictureSize.height) * 100).toFixed(3)}%`
  return {
    left: across(box.x),
    top: down(box.y),
    width: across(box.width),
    height: down(box.height),
  }
}
