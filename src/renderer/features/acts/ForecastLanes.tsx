import type { ReactNode } from 'react'
import type { ForecastLane } from '../../../shared/model/act.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './ForecastLanes.module.css'

const words = text.acts.forecast

function spoken({ label, spans }: ForecastLane): string {
  return words.lane(
    label,
    spans.map((span) => span.text),
  )
}

/** Several lanes over one time axis. What is only expected is outlined. */
export function ForecastLanes({ lanes }: { readonly lanes: readonly ForecastLane[] }): ReactNode {
  const ends = lanes.flatMap(({ spans }) => spans.map((span) => span.toSeconds))
  const whole = Math.max(...ends)
  const back = lanes.flatMap(({ spans }) => spans).find((span) => span.style === 'there')
  const place = (seconds: number): string => `${(seconds / whole) * 100}%`
  return (
    <figure className={styles['lanes']} aria-label={words.lanes(lanes.map(spoken))}>
      <div className={styles['heads']} aria-hidden="true">
        <span>{words.click}</span>
        {back === undefined ? null : (
          <span className={styles['back']} style={{ left: place(back.fromSeconds) }}>
            {words.atMost(words.seconds(back.fromSeconds))}
          </span>
        )}
      </div>
      {lanes.map(({ label, spans }) => (
        <div key={label} className={styles['lane']} aria-hidden="true">
          <span className={styles['label']}>{label}</span>
          <span className={styles['line']}>
            {spans.map((span) => (
              <span
                key={span.text}
                className={classNames(
                  styles['span'],
                  styles[span.style],
                  span.toSeconds < whole / 10 && styles['short'],
                )}
                style={{
                  left: place(span.fromSeconds),
                  width: place(span.toSeconds - span.fromSeconds),
                }}
              >
                <span>{span.text}</span>
              </span>
            ))}
          </span>
        </div>
      ))}
    </figure>
  )
}
