import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { PairState } from '../../store/rows/mirrors-order.ts'
import styles from './PairLink.module.css'
import { pairWord } from './pair-words.ts'

/** Wire and sign, in a box of 132 by 34. */
function Wire({ state }: { readonly state: PairState }): ReactNode {
  switch (state) {
    case 'equal':
      return (
        <>
          <path className={styles['quietWire']} d="M4 17H54M78 17H128" />
          <path className={styles['sign']} d="M60 14.5h12M60 19.5h12" />
        </>
      )
    case 'differs':
      return (
        <>
          <path className={styles['wire']} strokeDasharray="5 4" d="M4 17H54M128 17H78" />
          <path className={styles['sign']} d="M59 14h14M59 20h14M70 8.5l-8 17" />
        </>
      )
    case 'missing':
      return (
        <>
          <path className={styles['wire']} d="M4 17H57" />
          <path className={styles['sign']} d="M60 11.5l11 11M71 11.5l-11 11" />
        </>
      )
    case 'deleting':
      return (
        <>
          <path className={styles['wire']} d="M4 17H54" />
          <path className={styles['wire']} strokeDasharray="1.5 5" d="M80 17H128" />
          <path className={styles['sign']} strokeDasharray="3 2" d="M66 9l8 8-8 8-8-8z" />
          <path className={styles['sign']} d="M58 25 74 9" />
        </>
      )
    case 'orphaned':
      return (
        <>
          <path className={styles['noWire']} strokeDasharray="1 4" d="M4 17H54" />
          <path className={styles['wire']} d="M74 17H128" />
          <circle className={styles['sign']} cx="66" cy="17" r="6" />
        </>
      )
    default:
      return assertNever(state, 'pair state')
  }
}

/** Whether the mirror's config.mirror is the static pod's config.hash: a line, a sign and a word. */
export function PairLink({ state }: { readonly state: PairState }): ReactNode {
  return (
    <span className={`${styles['link']} ${styles[state]}`}>
      <svg viewBox="0 0 132 34" aria-hidden="true">
        <Wire state={state} />
      </svg>
      <span>{pairWord(state)}</span>
    </span>
  )
}
