import type { ReactNode } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { fullTimeText, preciseClockText } from '../../words/time.ts'
import { traceWords } from '../../words/trace-words.ts'
import styles from './TraceList.module.css'

/** The panel shows the newest; the rest is one click away. */
const shownAtFirst = 8

function eventId(seq: number): string {
  return `trace-${seq}`
}

function Cause({
  seq,
  isHere,
  onFollow,
}: {
  readonly seq: number
  readonly isHere: boolean
  readonly onFollow: (seq: number) => void
}): ReactNode {
  if (!isHere)
    return (
      <span
        className={styles['away']}
        title="an event of another part, or too old to be listed here"
      >
        #{seq}
      </span>
    )
  return (
    <button
      type="button"
      className={styles['cause']}
      title="Show what caused it"
      onClick={() => onFollow(seq)}
    >
      #{seq}
    </button>
  )
}

function Line({
  event,
  isMarked,
  isListed,
  onFollow,
}: {
  readonly event: TraceEvent
  readonly isMarked: boolean
  readonly isListed: (seq: number) => boolean
  readonly onFollow: (seq: number) => void
}): ReactNode {
  return (
    <li
      id={eventId(event.seq)}
      tabIndex={-1}
      className={classNames(styles['event'], isMarked && styles['marked'])}
    >
      <div className={styles['first']}>
        <span className={styles['seq']}>#{event.seq}</span>
        <code className={styles['kind']}>{event.kind}</code>
        <time className={styles['at']} title={fullTimeText(event.at)}>
          {preciseClockText(event.at)}
        </time>
      </div>
      <div className={styles['second']}>
        <span className={styles['words']}>{traceWords(event)}</span>
        {event.causes.length === 0 ? null : (
          <span className={styles['causes']}>
            because of{' '}
            {event.causes.map((seq) => (
              <Cause key={seq} seq={seq} isHere={isListed(seq)} onFollow={onFollow} />
            ))}
          </span>
        )}
      </div>
    </li>
  )
}

/** The pod's last events, newest first; a cause that is listed is one click away. */
export function TraceList({ events }: { readonly events: readonly TraceEvent[] }): ReactNode {
  const [marked, setMarked] = useState<number | null>(null)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? events : events.slice(0, shownAtFirst)
  const listed = new Set(events.map((event) => event.seq))
  const follow = (seq: number): void => {
    // A cause that is still folded away must be there before it can be shown.
    flushSync(() => {
      setMarked(seq)
      setWhole(isWhole || !shown.some((event) => event.seq === seq))
    })
    const line = document.getElementById(eventId(seq))
    line?.scrollIntoView({ block: 'nearest' })
    line?.focus({ preventScroll: true })
  }
  return (
    <section className={styles['section']} aria-label="Last events">
      <h3 className={styles['title']}>
        Last events <span className={styles['count']}>{events.length}</span>
      </h3>
      {events.length === 0 ? (
        <p className={styles['empty']}>Nothing has been recorded of it yet.</p>
      ) : (
        <ol>
          {shown.map((event) => (
            <Line
              key={event.seq}
              event={event}
              isMarked={event.seq === marked}
              isListed={(seq) => listed.has(seq)}
              onFollow={follow}
            />
          ))}
        </ol>
      )}
      {shown.length === events.length ? null : (
        <div className={styles['more']}>
          <Button onClick={() => setWhole(true)}>Show all {events.length}</Button>
        </div>
      )}
    </section>
  )
}
