import type { ReactNode } from 'react'
import type { TimelineView } from '../../../shared/model/timeline/timeline.ts'
import { text } from '../../text/text.ts'
import { preciseClockText } from '../../words/time.ts'
import type { LaneSpot } from './lane-geometry.ts'
import styles from './Lanes.module.css'

const words = text.timeline

/** What is under the pointer, or selected, with the lines that say it. */
export function SpotWords({
  spot,
  records,
}: {
  readonly spot: LaneSpot
  readonly records: TimelineView['records']
}): ReactNode {
  const { mark, segment, at, line } = spot
  return (
    <>
      <b>{mark === null ? words.states[segment?.state ?? 'sync'] : mark.text}</b>{' '}
      <span className={styles['when']}>
        {preciseClockText(at)}, {words.record[records](line)}
      </span>
      <span className={styles['proof']}>
        {mark === null ? null : (
          <span className={styles['seen']}>{words.seenIn(words.record[records](mark.line))}</span>
        )}
        {mark !== null && mark.hidden > 0 ? <span>{words.hidden(mark.hidden)}</span> : null}
        {segment === null ? null : (
          <span className={styles[`proof-${segment.certainty}`]}>
            {words.states[segment.state]}, {words.stateFrom(segment, records)}
          </span>
        )}
      </span>
    </>
  )
}

/** Beside the pointer. */
export function SpotTip({
  spot,
  records,
  left,
  top,
}: {
  readonly spot: LaneSpot
  readonly records: TimelineView['records']
  readonly left: number
  readonly top: number
}): ReactNode {
  return (
    <div
      className={styles['tip']}
      style={{ left: `${left}px`, top: `${top}px` }}
      aria-hidden="true"
    >
      <SpotWords spot={spot} records={records} />
    </div>
  )
}
