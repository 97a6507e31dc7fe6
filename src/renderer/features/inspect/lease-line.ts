export interface LeaseLine {
  /** Of an SVG polyline, in percent of the chart. */
  readonly points: string
  /** Where the lease expires, in percent from the top. */
  readonly limitY: number
  /** Its greatest age in the chart, ms. */
  readonly longest: number
  /** From the first renewal to now, ms. */
  readonly span: number
}

/**
 * The age of a lease over time: it grows until a renewal, which sets it to zero. `renewals`: ms since 1970, oldest first.
 * Undefined without a renewal. Pure.
 */
export function leaseLine(
  renewals: readonly number[],
  durationMs: number,
  now: number,
): LeaseLine | undefined {
  const past = renewals.filter((at) => at <= now)
  const first = past[0]
  if (first === undefined) return undefined
  const teeth = past.map((at, index) => ({ from: at, to: past[index + 1] ?? now }))
  const longest = Math.max(...teeth.map(({ from, to }) => to - from))
  const span = Math.max(1, now - first)
  const top = Math.max(durationMs, longest) * 1.12
  const place = (at: number, age: number): string =>
    `${(((at - first) / span) * 100).toFixed(1)},${(100 - (age / top) * 100).toFixed(1)}`
  return {
    points: teeth.flatMap(({ from, to }) => [place(from, 0), place(to, to - from)]).join(' '),
    limitY: 100 - (durationMs / top) * 100,
    longest,
    span: now - first,
  }
}
