import type { ReactNode } from 'react'
import type { GraceView, PodRow } from '../../../../shared/model/pod-row.ts'
import { useTicking } from '../../../store/store-context.ts'
import { clockText, graceLeft } from '../../../words/time.ts'
import styles from './GraceAxis.module.css'

/** Where now stands between SIGTERM and SIGKILL, 0 to 1. */
function spentShare({ startedAt, killAt }: GraceView, now: number): number {
  const whole = killAt - startedAt
  return whole <= 0 ? 1 : Math.min(1, Math.max(0, (now - startedAt) / whole))
}

/** A grace period running out: what is spent is an outline, what is left is solid, the tick is now. */
export function GraceAxis({
  row,
  grace,
}: {
  readonly row: PodRow
  readonly grace: GraceView
}): ReactNode {
  const left = useTicking(row.cluster, (now) => graceLeft(grace, now), 0)
  const share = useTicking(
    row.cluster,
    (now) => Number((spentShare(grace, now) * 100).toFixed(1)),
    0,
  )
  const spent = Math.max(0, grace.seconds - left)
  return (
    <figure
      className={styles['axis']}
      aria-label={`${spent} of ${grace.seconds} seconds of grace spent, SIGKILL at ${clockText(grace.killAt)}`}
    >
      <div className={styles['left']} aria-hidden="true">
        <span>{left} s</span>
      </div>
      <div className={styles['heads']} aria-hidden="true">
        <span>SIGTERM</span>
        <span className={styles['kill']}>SIGKILL</span>
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
