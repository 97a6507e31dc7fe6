import type { LoopEntry } from '../../../shared/model/cluster-view.ts'

/** The time span of the line, in ms on the cluster's clock. */
export const traceWindowMs = 30_000

const heights: Readonly<Record<LoopEntry['input'], number>> = {
  config: 11.5,
  pleg: 8,
  probe: 8,
  sync: 4,
  housekeeping: 2.5,
}

/**
 * The strip's line as an SVG path: time runs to the right and ends now, each iteration of the loop is a peak; rare
 * kinds have higher peaks. `width` and `base` in the units of the viewBox.
 */
export function tracePath(
  recent: readonly LoopEntry[],
  { now, width, base }: { readonly now: number; readonly width: number; readonly base: number },
): string {
  const peak = 1.6
  const byPosition = new Map<number, number>()
  for (const { at, input } of recent) {
    const x = Math.round((1 - (now - at) / traceWindowMs) * (width / peak))
    if (x < 0 || x > width / peak) continue
    byPosition.set(x, Math.max(byPosition.get(x) ?? 0, heights[input]))
  }
  const peaks = [...byPosition].toSorted(([left], [right]) => left - right)
  const steps = peaks.map(([position, height]) => {
    const x = (position * peak).toFixed(1)
    const end = Math.min(width, position * peak + peak).toFixed(1)
    return `H${x}V${(base - height).toFixed(1)}H${end}V${base}`
  })
  return `M0 ${base}${steps.join('')}H${width}`
}
