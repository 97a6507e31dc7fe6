import type { ReactNode } from 'react'
import type { PodEventView } from '../../../shared/model/pod-objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import { useAge } from '../../ui/use-times.ts'
import { clockText, fullTimeText } from '../../words/time.ts'
import styles from './EventsTab.module.css'

const words = text.pod.events

/** Which UID of a static pod the event is recorded under. */
function RecordedUnder({
  under,
  row,
}: {
  readonly under: PodEventView['under']
  readonly row: PodRow
}): ReactNode {
  if (row.kind !== 'static') return null
  const kind = under === 'mirror' ? 'mirror' : 'static'
  const uid = under === 'mirror' ? (row.mirrorUid ?? '') : row.uid
  return (
    <span
      className={classNames(styles['under'], styles[kind])}
      title={words.underTitle[under](uid)}
    >
      <Glyph name={kind} />
      {words.under[under]}
    </span>
  )
}

function Event({ event, row }: { readonly event: PodEventView; readonly row: PodRow }): ReactNode {
  const age = useAge(row.cluster, event.lastAt)
  const isWarning = event.type === 'Warning'
  return (
    <li className={styles['event']}>
      <div className={styles['head']}>
        <span className={classNames(styles['reason'], isWarning && styles['warning'])}>
          {isWarning ? <Icon name="warn" /> : null}
          {event.type} {event.reason}
        </span>
        {event.count > 1 ? <span className={styles['count']}>×{event.count}</span> : null}
        <time className={styles['age']} title={fullTimeText(event.lastAt)}>
          {clockText(event.lastAt)}
        </time>
        <span className={styles['age']}>{age}</span>
      </div>
      <p className={styles['message']}>{event.message}</p>
      <div className={styles['foot']}>
        <span>{event.source}</span>
        {event.fieldPath === '' ? null : <code>{event.fieldPath}</code>}
        <RecordedUnder under={event.under} row={row} />
        {event.count > 1 ? (
          <span className={styles['first']} title={fullTimeText(event.firstAt)}>
            {words.first(clockText(event.firstAt))}
          </span>
        ) : null}
      </div>
    </li>
  )
}

/** The API server's events about the pod; for a static pod those under both UIDs, in one list. */
export function EventsTab({ row }: { readonly row: PodRow }): ReactNode {
  const list = useAppState((state) => state.podEvents)
  if (list === null) return <p className={styles['loading']}>{words.loading}</p>
  return (
    <>
      {list.note === '' ? null : (
        <div className={styles['note']}>
          <Note variant="warn" icon="warn">
            <p>{words.incomplete(list.note)}</p>
          </Note>
        </div>
      )}
      {list.events.length === 0 ? (
        <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
      ) : (
        <ol aria-label={words.label}>
          {list.events.map((event) => (
            <Event
              key={`${event.under} ${event.reason} ${event.fieldPath} ${event.firstAt} ${event.message}`}
              event={event}
              row={row}
            />
          ))}
        </ol>
      )}
    </>
  )
}
