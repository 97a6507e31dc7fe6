import type { ReactNode } from 'react'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import type { PodEventView } from '../../../shared/model/pod-objects.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import { clockText, fullTimeText } from '../../words/time.ts'
import styles from './EventsTab.module.css'

function Under({ event, row }: { readonly event: PodEventView; readonly row: PodRow }): ReactNode {
  if (row.kind !== 'static') return null
  const isMirror = event.under === 'mirror'
  const uid = isMirror ? (row.mirrorUid ?? '') : row.uid
  return (
    <span
      className={classNames(styles['under'], isMirror ? styles['mirror'] : styles['static'])}
      title={
        isMirror
          ? `Recorded under the mirror’s UID ${uid}`
          : `Recorded under the static pod’s UID ${uid}, as the kubelet does`
      }
    >
      <Glyph name={isMirror ? 'mirror' : 'static'} />
      {isMirror ? 'mirror UID' : 'static UID'}
    </span>
  )
}

function Event({ event, row }: { readonly event: PodEventView; readonly row: PodRow }): ReactNode {
  const age = useTicking(row.cluster, (now) => humanDuration(now - event.lastAt), '')
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
        <Under event={event} row={row} />
        {event.count > 1 ? (
          <span className={styles['first']} title={fullTimeText(event.firstAt)}>
            first {clockText(event.firstAt)}
          </span>
        ) : null}
      </div>
    </li>
  )
}

/** The events of the API about the pod: for a static pod those under either of its UIDs, as one list. */
export function EventsTab({ row }: { readonly row: PodRow }): ReactNode {
  const list = useAppState((state) => state.podEvents)
  if (list === null) return <p className={styles['loading']}>Loading from the API server…</p>
  return (
    <>
      {list.note === '' ? null : (
        <div className={styles['note']}>
          <Note look="warn" icon="warn">
            <p>This list may not be whole: {list.note}</p>
          </Note>
        </div>
      )}
      {list.events.length === 0 ? (
        <EmptyState title="No events">
          The API server has no events about this pod. It deletes events after an hour by default.
        </EmptyState>
      ) : (
        <ol aria-label="Events of the pod">
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
