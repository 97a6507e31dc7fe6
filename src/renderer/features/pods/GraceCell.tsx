import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useTicking } from '../../store/store-context.ts'
import { fullTimeText, graceLeft } from '../../words/time.ts'
import styles from './GraceCell.module.css'

/** Seconds until SIGKILL, counting down, with a bar of what is left; empty while nothing stops. */
export function GraceCell({ row }: { readonly row: PodRow }): ReactNode {
  const { grace } = row
  const left = useTicking(row.cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
  if (grace === null) return null
  const whole = Math.max(1, Math.round((grace.killAt - grace.startedAt) / 1000))
  return (
    <span
      className={styles['grace']}
      title={`SIGKILL due ${fullTimeText(grace.killAt)}, grace ${grace.seconds} s`}
    >
      <span className={styles['left']}>{left} s</span>
      <span className={styles['track']} aria-hidden="true">
        <span
          className={styles['rest']}
          style={{ width: `${Math.min(100, (left / whole) * 100)}%` }}
        />
      </span>
    </span>
  )
}
