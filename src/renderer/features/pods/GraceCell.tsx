import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import { useGraceLeft } from '../../ui/use-times.ts'
import { fullTimeText } from '../../words/time.ts'
import styles from './GraceCell.module.css'

/** Seconds until SIGKILL, counting down, with a bar of what is left; empty without a grace period. */
export function GraceCell({ row: { cluster, grace } }: { readonly row: PodRow }): ReactNode {
  const left = useGraceLeft(cluster, grace)
  if (grace === null) return null
  const whole = Math.max(1, Math.round((grace.killAt - grace.startedAt) / 1000))
  const share = Math.min(100, (left / whole) * 100)
  return (
    <span
      className={styles['grace']}
      title={text.pods.graceTitle(fullTimeText(grace.killAt), grace.seconds)}
    >
      <span className={styles['left']}>{text.common.seconds(left)}</span>
      <span className={styles['track']} aria-hidden="true">
        <span className={styles['rest']} style={{ width: `${share}%` }} />
      </span>
    </span>
  )
}
