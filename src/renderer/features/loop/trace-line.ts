import type { LoopEntry } from '../../../shared/model/cluster-view.ts'

/** How far back the line looks, in ms on the cluster's clock. */
export const traceWindowMs = 30_000

const heights: Readonly<Record<LoopEntry['input'], number>> = {
  config: 11.5,
  pleg: 8,
  sync: 4,
  housekeeping: 2.5,
}

/**
 * The strip's line as an SVG path: time runs to the right and ends now, each thing that the loop did is
 * a peak, as high as its kind is rare. `width` and `base` in the units of the viewBox.
 */
export function tracePath(
  recent: readonly LoopEntry[],
  { now, width, base }: { readonly now: number; readonly width: number; readonly base: number },
): string {
  const peak = 1.6
  const byPlace = new Map<number, number>()
  for (const { at, input } of recent) {
    const x = Math.round((1 - (now - at) / traceWindowMs) * (width / peak))
    if (x < 0 || x > width / peak) continue
    byPlace.set(x, Math.max(byPlace.get(x) ?? 0, heights[input]))
  }
  const peaks = [...byPlace].toSorted(([left], [right]) => left - right)
  const steps = peaks.map(([place, height]) => {
    const x = (place * peak).toFixed(1)
    const end = Math.min(width, place * peak + peak).toFixed(1)
    return `H${x}V${(base - height).toFixed(1)}H${end}V${base}`
  })
  return `M0 ${base}${steps.join('')}H${width}`
}
