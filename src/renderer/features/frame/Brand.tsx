import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import styles from './Bar.module.css'

export function Brand(): ReactNode {
  return (
    <span className={styles['brand']}>
      <svg viewBox="0 0 20 20" fill="none" aria-hidden="true">
        <circle cx="10" cy="10" r="8.7" stroke="var(--text)" strokeWidth="1.6" />
        <path
          d="M2 10.5h4l1.8-4.7 3 8.7 2.2-6 1 2h4"
          stroke="var(--accent)"
          strokeWidth="1.6"
          strokeLinejoin="round"
        />
      </svg>
      <span>{text.frame.name}</span>
    </span>
  )
}
