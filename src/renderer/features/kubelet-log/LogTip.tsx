import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { preciseClockText } from '../../words/time.ts'
import type { LaneSpot } from './lane-geometry.ts'
import styles from './LogLanes.module.css'

const words = text.log

/** What is under the pointer, or selected, with the lines that say it. */
export function SpotWords({ spot }: { readonly spot: LaneSpot }): ReactNode {
  const { mark, segment, at, line } = spot
  return (
    <>
      <b>{mark === null ? words.states[segment?.state ?? 'sync'] : mark.text}</b>{' '}
      <span className={styles['when']}>
        {preciseClockText(at)}, {words.line(line)}
      </span>
      <span className={styles['proof']}>
        {mark === null ? null : <span className={styles['seen']}>{words.seenIn(mark.line)}</span>}
        {mark !== null && mark.hidden > 0 ? <span>{words.hidden(mark.hidden)}</span> : null}
        {segment === null ? null : (
          <span className={styles[`proof-${segment.certainty}`]}>
            {words.states[segment.state]}, {words.stateFrom(segment.certainty, segment.evidence)}
          </span>
        )}
      </span>
    </>
  )
}

/** Beside the pointer. */
export function LogTip({
  spot,
  left,
  top,
}: {
  readonly spot: LaneSpot
  readonly left: number
  readonly top: number
}): ReactNode {
  return (
    <div
      className={styles['tip']}
      style={{ left: `${left}px`, top: `${top}px` }}
      aria-hidden="true"
    >
      <SpotWords spot={spot} />
    </div>
  )
}
