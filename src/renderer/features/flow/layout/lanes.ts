import type { DrawnPods, LaneName, PodGroup } from '../board/board.ts'
import { drawnIn } from '../board/board.ts'
import type { Box, Point } from './box.ts'
import { bottom } from './box.ts'

interface LaneForm {
  readonly x: number
  readonly width: number
  /** Below its top: the first pod. */
  readonly first: number
  /** From one pod to the next, and a pod's own height. */
  readonly pitch: number
  readonly token: number
  /** Free room under the pods. */
  readonly foot: number
}

/** The columns of PodWorkers, from its left edge; the last two share one, with an arrow between them. */
const forms: Readonly<Record<LaneName, LaneForm>> = {
  waiting: { x: 9, width: 106, first: 57, pitch: 24, token: 21, foot: 55 },
  SyncPod: { x: 130, width: 193, first: 36, pitch: 21, token: 19, foot: 0 },
  TerminatingPod: { x: 338, width: 114, first: 60, pitch: 50, token: 43, foot: 24 },
  TerminatedPod: { x: 468, width: 106, first: 57, pitch: 24, token: 21, foot: 0 },
  TerminatedAndRecreatedPod: { x: 468, width: 106, first: 60, pitch: 22, token: 21, foot: 22 },
}

/** The lanes begin below the title of PodWorkers. */
export function lanesTop(workers: Box): number {
  return workers.y + 56
}

/** The box of a lane in `workers`; the lane of waiting workers grows with their number. Pure. */
export function laneBox(name: LaneName, lane: Pick<PodGroup, 'total'>, workers: Box): Box {
  const y = lanesTop(workers)
  const whole = workers.height - 68
  const { width } = forms[name]
  const x = workers.x + forms[name].x
  const recreated = 104 + (whole - 248) * 0.2
  const between = Math.max(12, 16 + (whole - 248) * 0.25)
  switch (name) {
    case 'waiting':
      return { x, y, width, height: lane.total === 0 ? 150 : lane.total === 1 ? 186 : whole }
    case 'TerminatedPod':
      return { x, y, width, height: whole - recreated - between }
    case 'TerminatedAndRecreatedPod':
      return { x, y: y + whole - recreated, width, height: recreated }
    case 'SyncPod':
    case 'TerminatingPod':
    default:
      return { x, y, width, height: whole }
  }
}

/** The pods of a lane that are drawn in `box`. Pure. */
export function laneShown(name: LaneName, lane: PodGroup, box: Box): DrawnPods {
  const { first, pitch, foot } = forms[name]
  const room = Math.max(1, Math.floor((box.height - first - foot) / pitch))
  return name === 'SyncPod' || name === 'waiting'
    ? drawnIn(lane, room, true)
    : drawnIn(lane, name === 'TerminatedPod' ? Math.min(2, room) : room, false)
}

/** The box of a lane's pod. Pure. */
export function tokenBox(name: LaneName, { x, y, width }: Box, index: number): Box {
  const { first, pitch, token } = forms[name]
  return { x: x + 6, y: y + first + index * pitch, width: width - 12, height: token }
}

/** The box of `and 3 more`, after the `drawn` pods of a lane. Pure. */
export function moreBox(name: LaneName, lane: Box, drawn: number): Box {
  return { ...tokenBox(name, lane, drawn), height: 19 }
}

/** Arrows between the lanes, in the order in which a worker passes them. Pure. */
export function laneSteps(workers: Box): readonly string[] {
  const y = lanesTop(workers) + 76
  const at = (name: LaneName): Box => laneBox(name, { total: 2 }, workers)
  const [waiting, sync] = [at('waiting'), at('SyncPod')]
  const [terminating, terminated] = [at('TerminatingPod'), at('TerminatedPod')]
  const across = (from: Box, to: Box): string => `M${from.x + from.width} ${y}H${to.x - 3}`
  return [
    across(waiting, sync),
    across(sync, terminating),
    across(terminating, terminated),
    `M${terminated.x + terminated.width / 2} ${bottom(terminated)}V${at('TerminatedAndRecreatedPod').y - 3}`,
  ]
}

/** The path of a worker that is recreated, around the lanes, from the last one back to SyncPod; and its step's number. */
export function recreatedPath(workers: Box): { readonly path: string; readonly badge: Point } {
  const from = laneBox('TerminatedAndRecreatedPod', { total: 0 }, workers)
  const to = laneBox('SyncPod', { total: 0 }, workers)
  const start = from.x + from.width
  const turnX = start + 15
  const middle = from.y + from.height / 2
  const top = to.y - 12
  const end = to.x + to.width / 2
  return {
    path: `M${start} ${middle}H${turnX - 6}Q${turnX} ${middle} ${turnX} ${middle - 6}V${top + 6}Q${turnX} ${top} ${turnX - 6} ${top}H${end + 6}Q${end} ${top} ${end} ${top + 6}V${to.y - 3}`,
    badge: { x: turnX, y: workers.y + 166 },
  }
}
