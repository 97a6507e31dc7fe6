import type { ForecastMark } from '../../../shared/model/act.ts'

export interface PlacedMark {
  readonly mark: ForecastMark
  /** Share of the axis, 0 to 1. */
  readonly place: number
  /** Where its words go, so that none is cut and no two meet. */
  readonly align: 'start' | 'middle' | 'end'
}

/** SIGKILL stands here, so that what comes after it has room for its words. */
const killPlace = 0.7

/**
 * Places the marks of a forecast: SIGTERM on the left, SIGKILL always at the same place, the rest
 * evenly after it. What comes after SIGKILL takes no known time, so it is not drawn to scale. Pure.
 */
export function placeMarks(marks: readonly ForecastMark[]): readonly PlacedMark[] {
  const kill = marks.find((mark) => mark.tone === 'kill')?.atSeconds ?? 0
  const after = marks.filter((mark) => mark.atSeconds > kill).length
  let passed = 0
  return marks.map((mark) => {
    if (mark.atSeconds <= kill) {
      const place = kill === 0 ? 0 : (mark.atSeconds / kill) * killPlace
      return { mark, place, align: mark.tone === 'kill' ? 'end' : 'start' }
    }
    passed++
    return { mark, place: killPlace + (1 - killPlace) * (passed / (after + 2)), align: 'start' }
  })
}

/** `10 s`; no zeros after the point. */
export function secondsText(seconds: number): string {
  return `${Number(seconds.toFixed(1))} s`
}
