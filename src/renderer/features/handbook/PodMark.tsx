import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import styles from './PodMark.module.css'

/** Marks a section that describes the selected pod's current state. */
export function PodMark({ pod }: { readonly pod: string }): ReactNode {
  return (
    <span className={styles['mark']} title={text.handbook.isHere(pod)}>
      <span>{text.handbook.isHere(pod)}</span>
    </span>
  )
}
