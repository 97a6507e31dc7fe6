import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import { useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { SvgLabels } from '../../ui/SvgLabels.tsx'
import { clockText, lastingText } from '../../words/time.ts'
import { deadlines, nodeSentence, timelineX } from './lease-timeline.ts'
import styles from './LeaseTimeline.module.css'
import details from './OutageDetails.module.css'

const words = text.attention.lease
const { before132, unknown, podsDeleted } = deadlines

function Axis({ lease, after }: { readonly lease: number; readonly after: number }): ReactNode {
  const now = timelineX(after)
  const age = lastingText(after * 1000)
  const unknownAt = clockText(lease + unknown * 1000)
  const deletedAt = clockText(lease + podsDeleted * 1000)
  // Keeps the word for now clear of the others.
  const isNowNearEnd = now > 300
  const { bad, badWord, strong, time } = styles
  return (
    <svg
      viewBox="0 0 384 112"
      className={styles['axis']}
      // It is drawn here, with the theme's colors: no img element shows that.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={words.axis(age, clockText(lease), unknownAt, deletedAt)}
    >
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
      <path d={`M${timelineX(before132)} 34V66`} className={styles['warn']} />
      <path d={`M${timelineX(unknown)} 34V66M${timelineX(podsDeleted)} 34V66`} className={bad} />
      <path d={`M${now} 22V70`} className={styles['now']} />
      <SvgLabels
        labels={[
          { x: 8, y: 84, look: time, words: clockText(lease) },
          { x: 8, y: 100, words: words.last },
          {
            x: timelineX(before132) - 4,
            y: 32,
            anchor: 'end',
            look: styles['warnWord'],
            words: text.common.seconds(before132),
          },
          { x: 223, y: 32, look: badWord, words: text.common.seconds(unknown) },
          { x: 376, y: 32, anchor: 'end', look: badWord, words: text.common.seconds(podsDeleted) },
          {
            x: isNowNearEnd ? 376 : Math.max(30, now),
            y: 15,
            anchor: isNowNearEnd ? 'end' : 'middle',
            look: styles['nowWord'],
            words: words.now(age),
          },
          { x: 220, y: 84, look: strong, words: words.unknownMark },
          { x: 220, y: 100, look: time, words: words.by(unknownAt) },
          { x: 376, y: 84, anchor: 'end', look: strong, words: words.deletedMark },
          { x: 376, y: 100, anchor: 'end', look: time, words: words.by(deletedAt) },
        ]}
      />
    </svg>
  )
}

/** What the control plane does with a node that does not renew its lease, and when. */
export function LeaseTimeline({
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
    <section className={details['panel']} aria-label={text.attention.controlPlane}>
      <header className={details['head']}>
        <Icon name="eye" />
        <h3>{text.attention.controlPlane}</h3>
        <span className={details['caption']}>{node.name}</span>
      </header>
      <div className={styles['body']}>
        {lease === null ? (
          <p>{words.never}</p>
        ) : (
          <>
            <Axis lease={lease} after={after} />
            <div className={styles['words']}>
              <p>
                {nodeSentence(after, node.status)}
                {since === null
                  ? null
                  : words.shownFromKubelet(
                      <span className={styles['stale']}>{words.asOf(clockText(since))}</span>,
                    )}
              </p>
              <p className={styles['faint']}>{words.defaults(before132)}</p>
            </div>
          </>
        )}
      </div>
    </section>
  )
}
