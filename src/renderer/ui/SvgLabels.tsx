import type { ReactNode } from 'react'

export interface SvgLabel {
  readonly x: number
  readonly y: number
  readonly words: string | number
  /** A class name. */
  readonly look?: string | undefined
  readonly anchor?: 'middle' | 'end'
}

/** The words in a picture, each at its own place. */
export function SvgLabels({ labels }: { readonly labels: readonly SvgLabel[] }): ReactNode {
  return labels.map(({ x, y, words, look, anchor }) => (
    <text key={`${x} ${y}`} x={x} y={y} textAnchor={anchor} className={look}>
      {words}
    </text>
  ))
}
