import type { ReactNode } from 'react'
import { explain } from '../../../../shared/model/explanation/explanation.ts'
import type { TraceEvent, TraceSeq } from '../../../../shared/model/trace-event.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { fullTimeText, preciseClockText } from '../../../words/time.ts'
import styles from './HistoryLine.module.css'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'

const words = text.pod.history

/** The id of an event's number in the list, which takes the focus. */
export function historyLineId(seq: TraceSeq): string {
  return `trace-${seq}`
}

/** An event's number, kind, time and sentence, and the section of the handbook that explains it. */
export function EventText({
  event,
  number = <span className={styles['seq']}>#{event.seq}</span>,
  isInTabOrder = true,
  children,
}: {
  readonly event: TraceEvent
  readonly number?: ReactNode
  readonly isInTabOrder?: boolean
  readonly children?: ReactNode
}): ReactNode {
  const { sentence, section } = explain(event)
  return (
    <>
      <div className={styles['head']}>
        {number}
        <code className={styles['kind']}>{event.kind}</code>
        <time className={styles['at']} title={fullTimeText(event.at)}>
          {preciseClockText(event.at)}
        </time>
      </div>
      <p className={styles['sentence']}>{sentence}</p>
      <div className={styles['foot']}>
        <SectionTag section={section} isInTabOrder={isInTabOrder} />
        {children}
      </div>
    </>
  )
}

/** One event of the history, with links to its causes. `children`: the chain of one of them. */
export function HistoryLine({
  event,
  isMarked,
  isInTabOrder,
  isListed,
  onFollow,
  onKey,
  children,
}: {
  readonly event: TraceEvent
  readonly isMarked: boolean
  readonly isInTabOrder: boolean
  readonly isListed: (seq: TraceSeq) => boolean
  readonly onFollow: (seq: TraceSeq) => void
  /** Whether the key led to an event. */
  readonly onKey: (key: string) => boolean
  readonly children?: ReactNode
}): ReactNode {
  return (
    <li className={classNames(styles['event'], isMarked && styles['marked'])}>
      <EventText
        event={event}
        isInTabOrder={isInTabOrder}
        number={
          <button
            id={historyLineId(event.seq)}
            type="button"
            className={styles['seq']}
            tabIndex={isInTabOrder ? 0 : -1}
            aria-label={words.event(event.seq)}
            aria-current={isMarked}
            onClick={() => onFollow(event.seq)}
            onKeyDown={(press) => {
              if (!onKey(press.key)) return
              press.preventDefault()
              press.stopPropagation()
            }}
          >
            #{event.seq}
          </button>
        }
      >
        {event.causes.length === 0 ? null : (
          <span className={styles['causes']}>
            {words.causes}
            {event.causes.map((seq) => (
              <button
                key={seq}
                type="button"
                className={styles['cause']}
                title={isListed(seq) ? words.cause : words.unlistedCause}
                onClick={() => onFollow(seq)}
              >
                #{seq}
              </button>
            ))}
          </span>
        )}
      </EventText>
      {children}
    </li>
  )
}
