import type { ReactNode } from 'react'
import styles from './Plot.module.css'

export interface PlotPoint {
  /** ms. */
  readonly at: number
  readonly value: number
}

/** In percent of the plot. A single point is a line without length, which has round ends. Pure. */
export function plotPoints(points: readonly PlotPoint[]): string {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  const top = Math.max(...points.map(({ value }) => value)) * 1.12 || 1
  const span = Math.max(1, last.at - first.at)
  const places = points.map(({ at, value }) => {
    const x = ((at - first.at) / span) * 100
    return `${x.toFixed(1)},${(100 - (value / top) * 100).toFixed(1)}`
  })
  return (places.length === 1 ? [...places, ...places] : places).join(' ')
}

/** A number over time as a small line from zero, with its present value in words. */
export function Plot({
  label,
  points,
  write,
  describe,
}: {
  readonly label: string
  readonly points: readonly PlotPoint[]
  readonly write: (value: number) => string
  /** The whole plot in a sentence. */
  readonly describe: (now: string, least: string, most: string) => string
}): ReactNode {
  const values = points.map(({ value }) => value)
  const now = points.at(-1)
  if (now === undefined) return null
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (
    <figure
      className={styles['plot']}
      aria-label={`${label}: ${describe(write(now.value), write(least), write(most))}`}
    >
      <figcaption aria-hidden="true">
        <span>{label}</span>
        <b>{write(now.value)}</b>
      </figcaption>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={plotPoints(points)} />
      </svg>
    </figure>
  )
}
