import type { ReactNode } from 'react'
import type { SeenNode } from '../../../shared/model/seen-cluster.ts'
import { useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { lastingText } from '../../words/time.ts'
import styles from './NodesView.module.css'

const words = text.clusters.nodes
const width = 108

/** How long ago a lease was renewed, of its duration; each tick is a renewal that was seen. */
export function LeaseBar({
  cluster,
  lease,
}: {
  readonly cluster: string
  readonly lease: SeenNode['lease']
}): ReactNode {
  const now = useTicking(cluster, (at) => at, 0)
  if (lease === null)
    return (
      <span className={styles['faint']} title={words.noLeaseTitle}>
        {words.noLease}
      </span>
    )
  const { renewedAt, durationSeconds, renewals } = lease
  const age = Math.max(0, now - renewedAt)
  const isLate = age > durationSeconds * 1000
  const toX = (milliseconds: number): number =>
    Math.min(width, (milliseconds / (durationSeconds * 1000)) * width)
  const ageText = lastingText(age)
  return (
    <span className={classNames(styles['lease'], isLate && styles['late'])}>
      <span className={styles['age']} title={words.leaseLabel(ageText, durationSeconds)}>
        {ageText}
      </span>
      <svg width={width + 2} height="18" viewBox={`0 0 ${width + 2} 18`} aria-hidden="true">
        <rect y="5" width={width} height="6" className={styles['track']} />
        <rect y="5" width={toX(age)} height="6" className={styles['elapsed']} />
        {renewals
          .filter((at) => now - at >= 0 && now - at <= durationSeconds * 1000)
          .map((at) => (
            <path key={at} d={`M${toX(now - at)} 3V14`} className={styles['renewal']} />
          ))}
        <path d={`M${width} 1V17`} className={styles['limit']} />
      </svg>
    </span>
  )
}
