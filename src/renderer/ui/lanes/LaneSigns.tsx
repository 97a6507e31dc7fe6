import type { ReactNode } from 'react'
import type { TimelineMarkKind } from '../../../shared/model/timeline/timeline.ts'
import styles from './Lanes.module.css'

const cross = <path d="m-3-3 6 6M3-3l-6 6" className={styles['cross']} />

/** Drawn about their place. */
const signs: Readonly<Record<TimelineMarkKind, ReactNode>> = {
  loop: <circle r="3" className={styles['loop']} />,
  started: <path d="M0-3.5 4 3.5H-4z" className={styles['started']} />,
  died: cross,
  kill: <path d="M-4-3h8L0 4z" className={styles['kill']} />,
  status: <path d="M0-3v6" className={styles['tick']} />,
  statusFailed: <path d="M0-3v6M-2.500 0h5" className={styles['cross']} />,
  probe: <path d="M0-3.500 3.500 0 0 3.500-3.500 0z" className={styles['probe']} />,
  mirror: <path d="M0-3.500 3.500 0 0 3.500-3.500 0z" className={styles['mirror']} />,
  evict: <path d="M-4-3h8L0 4z" className={styles['evict']} />,
  error: <path d="M0-3.500v4M0 2.500v1" className={styles['cross']} />,
  rejected: <path d="M-3-3h6v6h-6z" className={styles['rejected']} />,
}

/** Above the middle of the bar, or below it, so that two signs of one moment are both seen. */
export const signHeights: Readonly<Record<TimelineMarkKind, number>> = {
  loop: 5,
  started: 5,
  kill: 5,
  evict: 5,
  rejected: 5,
  mirror: 5,
  probe: 20,
  died: 20,
  error: 20,
  status: 21,
  statusFailed: 21,
}

export function MarkSign({ kind }: { readonly kind: TimelineMarkKind }): ReactNode {
  return signs[kind]
}

/** The hatch of TerminatingPod, once for the legend and all lanes. */
export function LanePatterns(): ReactNode {
  return (
    <svg className={styles['patterns']} width="0" height="0" aria-hidden="true">
      <defs>
        <pattern
          id="log-terminating"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="6" height="6" className={styles['hatchBase']} />
          <rect width="3.500" height="6" className={styles['hatch']} />
        </pattern>
      </defs>
    </svg>
  )
}
