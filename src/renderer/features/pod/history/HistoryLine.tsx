import type { ReactNode } from 'react'
import { explain } from '../../../../shared/model/explanation/explanation.ts'
import type { TraceEvent, TraceSeq } from '../../../../shared/model/trace-event.ts'
import { classNames } from '../../../ui/class-names.ts'
import { fullTimeText, preciseClockText } from '../../../words/time.ts'
import styles from './HistoryLine.module.css'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'

/** The focusable number of an event in the list. */
export function historyLineId(seq: TraceSeq): string {
  return `trace-${seq}`
}

/** What an event says: number, kind and time, its sentence, and the section of the handbook that says why. */
export function EventWords({
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

/** One event of the history, with the way to what caused it. `children`: what was asked about it. */
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
  /** Whether the key led somewhere. */
  readonly onKey: (key: string) => boolean
  readonly children?: ReactNode
}): ReactNode {
  return (
    <li className={classNames(styles['event'], isMarked && styles['marked'])}>
      <EventWords
        event={event}
        isInTabOrder={isInTabOrder}
        number={
          <button
            id={historyLineId(event.seq)}
            type="button"
            className={styles['seq']}
            tabIndex={isInTabOrder ? 0 : -1}
            aria-label={`Event ${event.seq}`}
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
            because of
            {event.causes.map((seq) => (
              <button
                key={seq}
                type="button"
                className={styles['cause']}
                title={
                  isListed(seq)
                    ? 'Show what caused it ([)'
                    : 'An event of another part, or an older one: load it'
                }
                onClick={() => onFollow(seq)}
              >
                #{seq}
              </button>
            ))}
          </span>
        )}
      </EventWords>
      {children}
    </li>
  )
}
