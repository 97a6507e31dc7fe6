import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import type { LaneSpot } from './lane-geometry.ts'

/** The selected pod, and the line that the page shows of it. */
export interface LaneSelection {
  readonly pod: string | null
  /** 0: none. */
  readonly line: number
  readonly at: number | null
  readonly spot: LaneSpot | null
}

export const nothingSelected: LaneSelection = { pod: null, line: 0, at: null, spot: null }

/** Without a spot, what a pod has last. */
export function selectionOf(pod: TimelineLane, spot: LaneSpot | null): LaneSelection {
  const last = pod.segments.at(-1) ?? null
  const shown = spot ?? {
    line: last?.evidence[0] ?? last?.fromLine ?? pod.firstLine,
    at: last?.from ?? pod.lastAt,
    mark: null,
    segment: last,
  }
  return { pod: pod.id, line: shown.line, at: shown.at, spot: shown }
}
