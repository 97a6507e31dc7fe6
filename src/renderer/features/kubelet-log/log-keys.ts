import type { LogPod } from '../../../shared/model/kubelet-log.ts'
import { nextMark, spotOfMark } from './lane-geometry.ts'
import type { LogSelection } from './log-selection.ts'
import { selectionOf } from './log-selection.ts'

export interface LogKeyActs {
  readonly pods: readonly LogPod[]
  readonly selection: LogSelection
  readonly select: (selection: LogSelection) => void
  readonly zoom: (factor: number) => void
  readonly move: (share: number) => void
  readonly showWhole: () => void
  readonly focusFilter: () => void
  readonly focusSearch: () => void
  readonly focusLine: () => void
}

function selectPod({ pods, selection, select }: LogKeyActs, step: number): boolean {
  const at = pods.findIndex(({ id }) => id === selection.pod)
  const next = pods[Math.min(pods.length - 1, Math.max(0, at === -1 ? 0 : at + step))]
  if (next === undefined) return false
  select(selectionOf(next, null))
  return true
}

function selectMark({ pods, selection, select }: LogKeyActs, isBack: boolean): boolean {
  const pod = pods.find(({ id }) => id === selection.pod) ?? pods[0]
  if (pod === undefined) return false
  const mark = nextMark(pod, selection.pod === null ? 0 : selection.line, isBack)
  if (mark !== undefined) select(selectionOf(pod, spotOfMark(pod, mark)))
  return true
}

const zoomIn = 0.5

/** The keys of the view; false: it has none for this one. */
export function pressLogKey(key: string, acts: LogKeyActs): boolean {
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
      return selectMark(acts, false)
    case ',':
      return selectMark(acts, true)
    case 'l':
      return run(acts.focusLine)
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
      return run(acts.focusFilter)
    case 's':
      return run(acts.focusSearch)
    default:
      return false
  }
}
