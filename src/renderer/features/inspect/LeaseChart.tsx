import type { ReactNode } from 'react'
import { shownSeenNode } from '../../store/shown-node.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { lastingText } from '../../words/time.ts'
import styles from './InspectView.module.css'
import { leaseLine } from './lease-line.ts'

const words = text.inspect.node

/** The age of the node's lease over the renewals that were seen, and where it expires. */
export function LeaseChart({ cluster }: { readonly cluster: string }): ReactNode {
  const lease = useAppState((state) => shownSeenNode(state)?.lease ?? null)
  const now = useTicking(cluster, (at) => at, 0)
  if (lease === null) return null
  const { renewals, renewedAt, durationSeconds } = lease
  const line = leaseLine(renewals, durationSeconds * 1000, now)
  if (line === undefined) return null
  const limit = `${durationSeconds} s`
  const age = lastingText(Math.max(0, now - renewedAt))
  return (
    <figure
      className={styles['lease']}
      aria-label={words.leaseChart(age, lastingText(line.longest), lastingText(line.span), limit)}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 ${line.limitY}H100`} />
        <polyline points={line.points} />
      </svg>
      <figcaption aria-hidden="true">{words.limit(limit)}</figcaption>
    </figure>
  )
}
