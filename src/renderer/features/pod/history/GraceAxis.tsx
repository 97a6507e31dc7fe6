import type { ReactNode } from 'react'
import type { GraceView, PodRow } from '../../../../shared/model/pod-row.ts'
import { text } from '../../../text/text.ts'
import { useElapsedPercent, useGraceLeft } from '../../../ui/use-times.ts'
import { clockText } from '../../../words/time.ts'
import styles from './GraceAxis.module.css'

/** The time from SIGTERM to SIGKILL: outlined up to now, solid from now on. */
export function GraceAxis({
  row,
  grace,
}: {
  readonly row: PodRow
  readonly grace: GraceView
}): ReactNode {
  const left = useGraceLeft(row.cluster, grace)
  const share = useElapsedPercent(row.cluster, grace.startedAt, grace.killAt)
  const spent = Math.max(0, grace.seconds - left)
  return (
    <figure
      className={styles['axis']}
      aria-label={text.pod.grace(spent, grace.seconds, clockText(grace.killAt))}
    >
      <div className={styles['left']} aria-hidden="true">
        <span>{text.common.seconds(left)}</span>
      </div>
      <div className={styles['heads']} aria-hidden="true">
        <span>{text.common.sigterm}</span>
        <span className={styles['kill']}>{text.common.sigkill}</span>
      </div>
      <div className={styles['track']} aria-hidden="true">
        <span className={styles['spent']} style={{ width: `${share}%` }} />
        <span className={styles['rest']} style={{ left: `${share}%` }} />
        <span className={styles['now']} style={{ left: `${share}%` }} />
      </div>
      <div className={styles['times']} aria-hidden="true">
        <span>{clockText(grace.startedAt)}</span>
        <span>{clockText(grace.killAt)}</span>
      </div>
    </figure>
  )
}
