import type { ReactNode } from 'react'
import type { SeenView, WatchView } from '../../../shared/model/seen-cluster.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { clockText, lastingText } from '../../words/time.ts'
import { useWallSeconds } from '../../store/use-wall-seconds.ts'
import styles from './frame.module.css'

const words = text.clusters.watches

function watchText({ count, lastAt, state, problem }: WatchView, now: number): string {
  if (state === 'away')
    return lastAt === null ? words.never(problem) : words.away(count, clockText(lastAt), problem)
  if (state === 'listing' || lastAt === null) return words.listing
  return words.fresh(count, lastingText(now - lastAt))
}

/** What the shown cluster is read with, at the foot of the window. */
export function WatchStrip({ seen }: { readonly seen: SeenView }): ReactNode {
  const now = useWallSeconds()
  return (
    <footer className={styles['strip']} aria-label={words.title}>
      <b>{words.title}</b>
      {seen.watches.map((watch) => {
        const line = watchText(watch, now)
        return (
          <span
            key={watch.resource}
            className={classNames(styles['watch'], watch.state === 'away' && styles['away'])}
            title={watch.problem === '' ? undefined : line}
          >
            <span>{words.names[watch.resource]}</span>
            <span>{line}</span>
          </span>
        )
      })}
    </footer>
  )
}
