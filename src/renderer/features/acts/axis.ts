import type { ForecastMark } from '../../../shared/model/act.ts'

export interface PlacedMark {
  readonly mark: ForecastMark
  /** Share of the axis, 0 to 1. */
  readonly place: number
  /** Where its words go, so that none is cut off and none overlap. */
  readonly align: 'start' | 'middle' | 'end'
}

/** The place of SIGKILL, which leaves room for the words after it. */
const killPlace = 0.7

/**
 * Places the marks of a forecast: SIGTERM on the left, SIGKILL always at the same place, the rest
 * evenly after it. The time after SIGKILL is unknown, so it is not drawn to scale. Pure.
 */
export function placeMarks(marks: readonly ForecastMark[]): readonly PlacedMark[] {
  const kill = marks.find((mark) => mark.tone === 'kill')?.atSeconds ?? 0
  const after = marks.filter((mark) => mark.atSeconds > kill).length
  let passed = 0
  return marks.map((mark) => {
    if (mark.atSeconds <= kill) {
      const place = kill === 0 ? 0 : (mark.atSeconds / kill) * killPlace
      return { mark, place, align: mark.tone === 'kill' && kill > 0 ? 'end' : 'start' }
    }
    passed++
    return { mark, place: killPlace + (1 - killPlace) * (passed / (after + 2)), align: 'start' }
  })
}
