import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from '../icon.module.css'

const line = { fill: 'none', stroke: 'currentColor' } as const
const square = { x: '1.7', y: '1.7', width: '8.6', height: '8.6', rx: '1.2' } as const
const middle = { cx: '6', cy: '6' } as const

const glyphs = {
  waiting: <circle {...middle} r="4.4" {...line} strokeWidth="1.6" strokeDasharray="2.3 2.3" />,
  sync: <circle {...middle} r="5" fill="currentColor" />,
  terminating: (
    <>
      <circle {...middle} r="4.3" {...line} strokeWidth="1.5" />
      <path d="M6 1.7a4.3 4.3 0 0 0 0 8.6z" fill="currentColor" />
    </>
  ),
  terminated: <rect {...square} fill="currentColor" />,
  noNode: <rect {...square} {...line} strokeWidth="1.4" strokeDasharray="2.15 2.15" />,
  recreated: (
    <>
      <rect {...square} {...line} strokeWidth="1.5" />
      <circle {...middle} r="2" fill="currentColor" />
    </>
  ),
  file: (
    <path
      d="M2.5 1.2h4.3l2.7 2.7v6.9h-7zM6.6 1.4v2.7h2.7"
      {...line}
      strokeWidth="1.2"
      strokeLinejoin="round"
    />
  ),
  http: (
    <g {...line} strokeWidth="1.2">
      <circle {...middle} r="4.6" />
      <ellipse {...middle} rx="2" ry="4.6" />
      <path d="M1.4 6h9.2" />
    </g>
  ),
  api: (
    <>
      <path
        d="M6 1 10.4 3.5v5L6 11 1.6 8.5v-5z"
        {...line}
        strokeWidth="1.2"
        strokeLinejoin="round"
      />
      <circle {...middle} r="1.2" fill="currentColor" />
    </>
  ),
  static: <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="currentColor" />,
  mirror: (
    <path d="M6 1.3 10.7 6 6 10.7 1.3 6z" {...line} strokeWidth="1.4" strokeDasharray="2 1.3" />
  ),
  finished: (
    <>
      <rect x="1.9" y="1.9" width="8.2" height="8.2" rx="1.2" {...line} strokeWidth="1.3" />
      <path d="m3.9 6.1 1.5 1.5 2.8-3.1" {...line} strokeWidth="1.2" />
    </>
  ),
  none: <path d="M2.5 6h7" {...line} strokeWidth="1.6" strokeLinecap="round" />,
  matched: <path d="M2 4.4h8M2 7.6h8" {...line} strokeWidth="1.5" strokeLinecap="round" />,
  stale: (
    <path d="M2 4.4h8M2 7.6h8M8 1.6 4 10.4" {...line} strokeWidth="1.5" strokeLinecap="round" />
  ),
  missing: (
    <path d="m2.4 2.4 7.2 7.2M9.6 2.4 2.4 9.6" {...line} strokeWidth="1.6" strokeLinecap="round" />
  ),
  deleting: (
    <>
      <path d="M6 1.3 10.7 6 6 10.7 1.3 6z" {...line} strokeWidth="1.2" strokeDasharray="2 1.3" />
      <path d="M1.5 10.5 10.5 1.5" {...line} strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  orphan: <circle {...middle} r="3.6" {...line} strokeWidth="1.6" />,
} satisfies Readonly<Record<string, ReactNode>>

export type GlyphName = keyof typeof glyphs

/** Only the drawing, 12 units wide, for use inside another SVG. */
export function GlyphShape({ name }: { readonly name: GlyphName }): ReactNode {
  return glyphs[name]
}

/** A sign of 12 px for a state, a source or a kind; its word is next to it. */
export function Glyph({
  name,
  className,
}: {
  readonly name: GlyphName
  readonly className?: string | undefined
}): ReactNode {
  return (
    <svg className={classNames(styles['glyph'], className)} viewBox="0 0 12 12" aria-hidden="true">
      {glyphs[name]}
    </svg>
  )
}
