import type { ReactNode } from 'react'
import { explain } from '../../../shared/model/explanation/explanation.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { fullTimeText, preciseClockText } from '../../words/time.ts'
import type { Place } from './sections.ts'
import { isExplainedBy } from './sections.ts'
import styles from './SeenInPod.module.css'
import { useSelectedPod } from './use-selected-pod.ts'

const words = text.handbook.seen

/** Only the newest events; the history has all. */
const shownAtMost = 12

/** At this width the handbook covers the drawer, so it closes. */
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
        aria-label={words.showEvent(event.seq)}
        onClick={show}
      >
        {words.show}
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
  if (events.length === 0) return <p className={styles['none']}>{words.none}</p>
  return (
    <ol>
      {events.slice(-shownAtMost).map((event) => (
        <Event key={event.seq} row={row} event={event} />
      ))}
    </ol>
  )
}

/** The trace events of the selected pod that the section explains, oldest first. */
export function SeenInPod({ place }: { readonly place: Place }): ReactNode {
  const detail = useSelectedPod()
  if (detail === null)
    return (
      <section className={styles['seen']} aria-label={words.inPod}>
        <h3>{words.inPod}</h3>
        <p className={styles['none']}>{words.choose}</p>
      </section>
    )
  const events = detail.trace
    .filter((event) => isExplainedBy(place, explain(event).section))
    .toReversed()
  const { name } = detail.row
  return (
    <section className={styles['seen']} aria-label={words.in(name)}>
      <h3>
        <span className={styles['name']}>{words.in(name)}</span>
        <span className={styles['count']}>{words.count(events.length, shownAtMost)}</span>
      </h3>
      <Events row={detail.row} events={events} />
    </section>
  )
}
