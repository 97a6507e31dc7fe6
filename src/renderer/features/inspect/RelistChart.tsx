import type { ReactNode } from 'react'
import type { RelistCounts } from '../../../shared/model/inspect/kubelet-facts.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { lastingText } from '../../words/time.ts'
import styles from './RelistChart.module.css'
import { secondsText } from './seconds-text.ts'

const words = text.inspect.node.relists

/** A relist that takes longer delays the next one: the PLEG relists each second. */
const periodSeconds = 1

/** How many relists took how long, by the buckets of the kubelet's own histogram. `now` in ms. */
export function RelistChart({
  relists: { since, buckets, p50, p99 },
  now,
}: {
  readonly relists: RelistCounts
  readonly now: number
}): ReactNode {
  const title = since === null ? words.sinceStart : words.title(lastingText(now - since))
  const most = Math.max(...buckets.map(({ count }) => count))
  const facts = [
    ...(p50 === null ? [] : [words.p50(secondsText(p50))]),
    ...(p99 === null ? [] : [words.p99(secondsText(p99))]),
  ]
  const counts = buckets.flatMap(({ upTo, count }) => {
    if (count === 0) return []
    return [upTo === null ? words.longer(count) : words.upTo(count, secondsText(upTo))]
  })
  const isSlow = p99 !== null && p99 > periodSeconds
  // Under the bars of the shortest, of the period and of the longest bound.
  const bounds = buckets.filter(
    ({ upTo }, index) => upTo === periodSeconds || index === 0 || index === buckets.length - 2,
  )
  return (
    <figure
      className={styles['chart']}
      aria-label={`${title}: ${[...facts, ...counts].join(', ')}`}
    >
      <figcaption aria-hidden="true">
        <span>{title}</span>
        <span className={classNames(styles['facts'], isSlow && styles['slow'])}>
          {facts.join('  ')}
        </span>
      </figcaption>
      <div className={styles['bars']} aria-hidden="true">
        {buckets.map(({ upTo, count }) => (
          <i
            key={upTo ?? 'longer'}
            className={classNames(
              (upTo === null || upTo > periodSeconds) && styles['slow'],
              count > 0 && styles['some'],
            )}
            style={{ height: `${((count / most) * 100).toFixed(1)}%` }}
          />
        ))}
      </div>
      <div
        className={styles['bounds']}
        style={{ gridTemplateColumns: `repeat(${buckets.length}, minmax(0, 1fr))` }}
        aria-hidden="true"
      >
        {bounds.map(({ upTo }) =>
          upTo === null ? null : (
            <span
              key={upTo}
              style={{ gridColumn: buckets.findIndex((bucket) => bucket.upTo === upTo) + 1 }}
            >
              {secondsText(upTo)}
            </span>
          ),
        )}
      </div>
    </figure>
  )
}
