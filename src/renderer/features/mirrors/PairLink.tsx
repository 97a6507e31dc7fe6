import type { ReactNode } from 'react'
import type { PairState } from '../../store/rows/mirrors-order.ts'
import { text } from '../../text/text.ts'
import styles from './PairLink.module.css'

interface Line {
  readonly className: 'wire' | 'quietWire' | 'noWire' | 'sign'
  readonly d: string
  readonly strokeDasharray?: string
}

/** The line between the two and its sign, in a box of 132 by 34. */
const drawings: Readonly<Record<PairState, readonly Line[]>> = {
  equal: [
    { className: 'quietWire', d: 'M4 17H54M78 17H128' },
    { className: 'sign', d: 'M60 14.5h12M60 19.5h12' },
  ],
  differs: [
    { className: 'wire', d: 'M4 17H54M128 17H78', strokeDasharray: '5 4' },
    { className: 'sign', d: 'M59 14h14M59 20h14M70 8.5l-8 17' },
  ],
  missing: [
    { className: 'wire', d: 'M4 17H57' },
    { className: 'sign', d: 'M60 11.5l11 11M71 11.5l-11 11' },
  ],
  deleting: [
    { className: 'wire', d: 'M4 17H54' },
    { className: 'wire', d: 'M80 17H128', strokeDasharray: '1.5 5' },
    { className: 'sign', d: 'M66 9l8 8-8 8-8-8z', strokeDasharray: '3 2' },
    { className: 'sign', d: 'M58 25 74 9' },
  ],
  orphaned: [
    { className: 'noWire', d: 'M4 17H54', strokeDasharray: '1 4' },
    { className: 'wire', d: 'M74 17H128' },
    { className: 'sign', d: 'M60 17a6 6 0 1 0 12 0a6 6 0 1 0-12 0' },
  ],
}

/** Whether the mirror's config.mirror is the static pod's config.hash: a line, a sign and a word. */
export function PairLink({ state }: { readonly state: PairState }): ReactNode {
  return (
    <span className={`${styles['link']} ${styles[state]}`}>
      <svg viewBox="0 0 132 34" aria-hidden="true">
        {drawings[state].map(({ className, ...line }) => (
          <path key={line.d} className={styles[className]} {...line} />
        ))}
      </svg>
      <span>{text.mirrors.states[state]}</span>
    </span>
  )
}
