import type { ReactNode } from 'react'
import type { ActForecast } from '../../../shared/model/act.ts'
import { text } from '../../text/text.ts'
import { at, between } from '../../ui/axis-style.ts'
import { classNames } from '../../ui/class-names.ts'
import type { PlacedMark } from './axis.ts'
import { placeMarks } from './axis.ts'
import styles from './ForecastAxis.module.css'

const words = text.acts.forecast

function Mark({ mark, place, align }: PlacedMark): ReactNode {
  return (
    <span
      className={classNames(styles['mark'], styles[mark.tone], styles[align])}
      style={at(place)}
    >
      <span className={styles['word']}>{mark.label}</span>
      {mark.tone === 'terminated' ? null : (
        <span className={styles['second']}>{words.seconds(mark.atSeconds)}</span>
      )}
    </span>
  )
}

/** The forecast on a time axis; all of it is drawn as expected, not as observed. */
export function ForecastAxis({ forecast }: { readonly forecast: ActForecast }): ReactNode {
  const { marks, outcome, containersText } = forecast
  if (marks.length === 0)
    return <p className={styles['none']}>{words.outcome(containersText, outcome)}</p>
  const placed = placeMarks(marks)
  const kill = placed.find(({ mark }) => mark.tone === 'kill')?.place ?? 0
  const term = placed.find(({ mark }) => mark.label === 'SIGTERM')?.place ?? 0
  const spoken = marks.map((mark) => words.mark(mark.label, words.seconds(mark.atSeconds)))
  return (
    <figure className={styles['axis']} aria-label={words.axis(spoken, outcome)}>
      <div className={styles['line']} aria-hidden="true">
        {term === 0 ? null : (
          <span className={styles['hook']} style={{ width: `${term * 100}%` }} />
        )}
        <span className={styles['stop']} style={between(term, kill)} />
        <span className={styles['after']} style={at(kill)} />
        {placed.map((entry) => (
          <Mark key={entry.mark.label} {...entry} />
        ))}
        <span className={styles['brace']} style={between(term, kill)}>
          <span>{words.earlier}</span>
        </span>
      </div>
      <p className={styles['outcome']} aria-hidden="true">
        {marks.some((mark) => mark.label === outcome) ? '' : outcome}
      </p>
    </figure>
  )
}
