import type {
  RequestAndLimit,
  UseRun,
  UseSample,
} from '../../../../shared/model/inside-pod/pod-use.ts'

/** What a chart is about: one number of each sample. */
export type Measure = (sample: UseSample) => number | null

/** In percent of the chart: x from the left, y from the top. */
export interface Chart {
  /** Points of one line for each run. */
  readonly lines: readonly { readonly key: string; readonly points: string }[]
  /** Where runs have ended before the last one. */
  readonly ends: readonly number[]
  readonly limitY: number | null
  readonly requestY: number | null
  /** The time from the left edge to now, in ms. */
  readonly spanMs: number
  readonly least: number
  readonly most: number
}

/** So that a new container does not fill the chart. */
const leastSpanMs = 60_000

/** Above the highest value, so that a line at the limit is seen. */
const headroom = 1.12

function place(value: number): number {
  return Number((value * 100).toFixed(2))
}

/** A single point is drawn as a line without length, which has round ends. */
function pointsText(points: readonly string[]): string {
  return (points.length === 1 ? [...points, ...points] : points).join(' ')
}

/** Undefined: no sample has a value. The time is that of the samples, up to now. Pure. */
export function chartOf(
  runs: readonly UseRun[],
  measure: Measure,
  { request, limit }: RequestAndLimit,
  now: number,
): Chart | undefined {
  const measured = runs
    .map(({ containerId, samples }) => ({
      key: containerId,
      points: samples.flatMap((sample) => {
        const value = measure(sample)
        return value === null ? [] : [{ at: sample.at, value }]
      }),
    }))
    .filter(({ points }) => points.length > 0)
  const all = measured.flatMap(({ points }) => points)
  const first = all[0]
  if (first === undefined) return undefined
  const spanMs = Math.max(leastSpanMs, now - first.at)
  const values = all.map(({ value }) => value)
  const most = values.reduce((a, b) => Math.max(a, b))
  const top = Math.max(most, limit ?? 0, request ?? 0, Number.MIN_VALUE) * headroom
  const x = (at: number): number => place(1 - (now - at) / spanMs)
  const y = (value: number): number => place(1 - value / top)
  return {
    lines: measured.map(({ key, points }) => ({
      key,
      points: pointsText(points.map(({ at, value }) => `${x(at)},${y(value)}`)),
    })),
    ends: measured.slice(0, -1).map(({ points }) => x(points.at(-1)?.at ?? now)),
    limitY: limit === null ? null : y(limit),
    requestY: request === null ? null : y(request),
    spanMs,
    least: values.reduce((a, b) => Math.min(a, b)),
    most,
  }
}
