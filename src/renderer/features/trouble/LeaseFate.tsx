import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { useTicking } from '../../store/store-context.ts'
import { Icon } from '../../ui/Icon.tsx'
import { clockText, lastingText } from '../../words/time.ts'
import details from './AwayDetails.module.css'
import styles from './LeaseFate.module.css'
import { fate, fateSentence, fateX } from './lease-fate.ts'

function Mark({
  seconds,
  look,
  from,
}: {
  readonly seconds: number
  readonly look: string | undefined
  readonly from: number
}): ReactNode {
  const x = fateX(seconds)
  return <path d={`M${x} ${from}V${from === 22 ? 70 : 66}`} className={look} />
}

function Axis({ lease, after }: { readonly lease: number; readonly after: number }): ReactNode {
  const now = fateX(after)
  const at = (seconds: number): string => clockText(lease + seconds * 1000)
  // Names near each other would lie over each other.
  const isNowNearEnd = now > 300
  return (
    <svg
      viewBox="0 0 384 112"
      className={styles['axis']}
      // It is drawn here, with the theme's colours: no img element shows that.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={`Lease last renewed ${lastingText(after * 1000)} ago, at ${clockText(lease)}. Unknown by ${at(fate.unknown)}, pods deleted by ${at(fate.podsDeleted)}.`}
    >
      <text x="8" y="84" className={styles['time']}>
        {clockText(lease)}
      </text>
      <text x="8" y="100">
        last lease
      </text>
      <rect x="8" y="40" width={Math.max(0, now - 8)} height="14" className={styles['past']} />
      <rect
        x={now}
        y="40.5"
        width={Math.max(0, 376 - now)}
        height="13"
        className={styles['coming']}
      />
      <rect x="290" y="36" width="12" height="22" className={styles['gap']} />
      <path d="M288 56l6-18M298 56l6-18" className={styles['break']} />
      <Mark seconds={fate.before132} look={styles['warn']} from={34} />
      <Mark seconds={fate.unknown} look={styles['bad']} from={34} />
      <Mark seconds={fate.podsDeleted} look={styles['bad']} from={34} />
      <Mark seconds={after} look={styles['now']} from={22} />
      <text x={fateX(fate.before132) - 4} y="32" textAnchor="end" className={styles['warnWord']}>
        {fate.before132} s
      </text>
      <text x="223" y="32" className={styles['badWord']}>
        {fate.unknown} s
      </text>
      <text x="376" y="32" textAnchor="end" className={styles['badWord']}>
        {fate.podsDeleted} s
      </text>
      <text
        x={isNowNearEnd ? 376 : Math.max(30, now)}
        y="15"
        textAnchor={isNowNearEnd ? 'end' : 'middle'}
        className={styles['nowWord']}
      >
        now, {lastingText(after * 1000)}
      </text>
      <text x="220" y="84" className={styles['strong']}>
        Unknown
      </text>
      <text x="220" y="100" className={styles['time']}>
        by {at(fate.unknown)}
      </text>
      <text x="376" y="84" textAnchor="end" className={styles['strong']}>
        pods deleted
      </text>
      <text x="376" y="100" textAnchor="end" className={styles['time']}>
        by {at(fate.podsDeleted)}
      </text>
    </svg>
  )
}

/** What the control plane will make of a node whose lease is not renewed, and when. */
export function LeaseFate({
  cluster,
  node,
  since,
}: {
  readonly cluster: ClusterView
  readonly node: NodeView
  /** Since when the API server does not answer, on the system's clock; null while it does. */
  readonly since: number | null
}): ReactNode {
  const lease = node.leaseRenewedAt
  const after = useTicking(cluster.id, (now) => Math.floor((now - (lease ?? now)) / 1000), 0)
  return (
    <section className={details['panel']} aria-label="What the control plane will do">
      <header className={details['head']}>
        <Icon name="eye" />
        <h3>What the control plane will do</h3>
        <span className={details['caption']}>{node.name}</span>
      </header>
      <div className={styles['body']}>
        {lease === null ? (
          <p>
            This node has never renewed its lease, so the control plane does not consider it yet.
          </p>
        ) : (
          <>
            <Axis lease={lease} after={after} />
            <div className={styles['words']}>
              <p>
                {fateSentence(after, node.status)}
                {since === null ? null : (
                  <>
                    {' '}
                    The pods here are shown from the kubelet itself; what only the API knows is
                    marked <span className={styles['stale']}>as of {clockText(since)}</span>.
                  </>
                )}
              </p>
              <p className={styles['faint']}>
                {fate.before132} s before Kubernetes 1.32. Times are the latest, with the defaults
                of the controller manager; a cluster may be set otherwise.
              </p>
            </div>
          </>
        )}
      </div>
    </section>
  )
}
