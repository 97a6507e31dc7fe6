import type { ReactNode } from 'react'
import { explain } from '../../../shared/model/explanation/explanation.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { fullTimeText, preciseClockText } from '../../words/time.ts'
import type { Place } from './sections.ts'
import { isShownBy } from './sections.ts'
import styles from './SeenInPod.module.css'

/** The newest of them; the history has all. */
const shownAtMost = 12

/** Where the handbook covers the drawer, it gives way to it. */
const coversDrawer = '(max-width: 1100px)'

function Event({ row, event }: { readonly row: PodRow; readonly event: TraceEvent }): ReactNode {
  const { state } = useStore()
  const show = (): void => {
    const { view, show: showView, openHistory, closeHandbook } = state.getState()
    if (view === 'handbook') showView('pods')
    else if (window.matchMedia(coversDrawer).matches) closeHandbook()
    openHistory(row.key, event.seq)
  }
  const { sentence } = explain(event)
  return (
    <li className={styles['event']}>
      <time title={fullTimeText(event.at)}>{preciseClockText(event.at)}</time>
      <span className={styles['seq']}>#{event.seq}</span>
      <span className={styles['sentence']} title={sentence}>
        {sentence}
      </span>
      <button
        type="button"
        className={styles['show']}
        aria-label={`Show event ${event.seq} in the history`}
        onClick={show}
      >
        Show
      </button>
    </li>
  )
}

function Events({
  row,
  events,
}: {
  readonly row: PodRow
  readonly events: readonly TraceEvent[]
}): ReactNode {
  if (events.length === 0)
    return (
      <p className={styles['none']}>None of this pod’s recorded events is about this section.</p>
    )
  return (
    <ol>
      {events.slice(-shownAtMost).map((event) => (
        <Event key={event.seq} row={row} event={event} />
      ))}
    </ol>
  )
}

/** The trace events of the chosen pod that show what the section says, oldest first. */
export function SeenInPod({ place }: { readonly place: Place }): ReactNode {
  const cursor = useAppState((state) => state.cursor)
  const latest = useAppState((state) => state.detail)
  const detail = latest?.row.key === cursor ? latest : null
  if (detail === null)
    return (
      <section className={styles['seen']} aria-label="Seen in a pod">
        <h3>Seen in a pod</h3>
        <p className={styles['none']}>Choose a pod to list its events about this section.</p>
      </section>
    )
  const events = detail.trace
    .filter((event) => isShownBy(place, explain(event).section))
    .toReversed()
  const { name } = detail.row
  return (
    <section className={styles['seen']} aria-label={`Seen in ${name}`}>
      <h3>
        <span className={styles['name']}>Seen in {name}</span>
        <span className={styles['count']}>
          {events.length} trace {events.length === 1 ? 'event' : 'events'}
          {events.length > shownAtMost ? `, last ${shownAtMost}` : ''}
        </span>
      </h3>
      <Events row={detail.row} events={events} />
    </section>
  )
}
