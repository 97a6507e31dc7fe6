import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import { nextMark, spotOfMark } from './lane-geometry.ts'
import type { LaneSelection } from './lane-selection.ts'
import { selectionOf } from './lane-selection.ts'

export interface LaneKeyActs {
  readonly pods: readonly TimelineLane[]
  readonly selection: LaneSelection
  readonly select: (selection: LaneSelection) => void
  readonly zoom: (factor: number) => void
  readonly move: (share: number) => void
  readonly showWhole: () => void
  /** Absent: the view has no such field or pane. */
  readonly focusFilter?: () => void
  readonly focusSearch?: () => void
  readonly focusLine?: () => void
}

function selectPod({ pods, selection, select }: LaneKeyActs, step: number): boolean {
  const at = pods.findIndex(({ id }) => id === selection.pod)
  const next = pods[Math.min(pods.length - 1, Math.max(0, at === -1 ? 0 : at + step))]
  if (next === undefined) return false
  select(selectionOf(next, null))
  return true
}

function selectMark({ pods, selection, select }: LaneKeyActs, isBack: boolean): boolean {
  const pod = pods.find(({ id }) => id === selection.pod) ?? pods[0]
  if (pod === undefined) return false
  const mark = nextMark(pod, selection.pod === null ? 0 : selection.line, isBack)
  if (mark !== undefined) select(selectionOf(pod, spotOfMark(pod, mark)))
  return true
}

const zoomIn = 0.5

/** The keys of the view; false: it has none for this one. */
export function pressLaneKey(key: string, acts: LaneKeyActs): boolean {
  const run = (act: () => void): boolean => {
    act()
    return true
  }
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'j':
    case 'ArrowDown':
      return selectPod(acts, 1)
    case 'k':
    case 'ArrowUp':
      return selectPod(acts, -1)
    case '.':
    case ']':
      return selectMark(acts, false)
    case ',':
    case '[':
      return selectMark(acts, true)
    case 'l':
      return acts.focusLine === undefined ? false : run(acts.focusLine)
    case '+':
    case '=':
      return run(() => acts.zoom(zoomIn))
    case '-':
      return run(() => acts.zoom(1 / zoomIn))
    case 'ArrowLeft':
      return run(() => acts.move(-0.25))
    case 'ArrowRight':
      return run(() => acts.move(0.25))
    case '0':
      return run(acts.showWhole)
    case '/':
      return acts.focusFilter === undefined ? false : run(acts.focusFilter)
    case 's':
      return acts.focusSearch === undefined ? false : run(acts.focusSearch)
    default:
      return false
  }
}
