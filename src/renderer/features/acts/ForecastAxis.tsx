import type { ReactNode } from 'react'
import type { ActForecast } from '../../../shared/model/act.ts'
import { classNames } from '../../ui/class-names.ts'
import type { PlacedMark } from './axis.ts'
import { placeMarks, secondsText } from './axis.ts'
import styles from './ForecastAxis.module.css'

function at(place: number): { readonly left: string } {
  return { left: `${place * 100}%` }
}

function between(from: number, to: number): { readonly left: string; readonly width: string } {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}

function Mark({ mark, place, align }: PlacedMark): ReactNode {
  return (
    <span
      className={classNames(styles['mark'], styles[mark.tone], styles[align])}
      style={at(place)}
    >
      <span className={styles['word']}>{mark.label}</span>
      {mark.tone === 'terminated' ? null : (
        <span className={styles['second']}>{secondsText(mark.atSeconds)}</span>
      )}
    </span>
  )
}

/** What will happen, on a line of time. All of it lies ahead, so nothing is drawn as a fact that it is not. */
export function ForecastAxis({ forecast }: { readonly forecast: ActForecast }): ReactNode {
  const { marks, outcome, still } = forecast
  if (marks.length === 0)
    return (
      <p className={styles['none']}>
        {still} In the end: {outcome}.
      </p>
    )
  const placed = placeMarks(marks)
  const kill = placed.find(({ mark }) => mark.tone === 'kill')?.place ?? 0
  const term = placed.find(({ mark }) => mark.label === 'SIGTERM')?.place ?? 0
  const spoken = marks.map((mark) => `${mark.label} at ${secondsText(mark.atSeconds)}`).join(', ')
  return (
    <figure className={styles['axis']} aria-label={`You click, then ${spoken}; ${outcome}`}>
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
          <span>may end here at any moment</span>
        </span>
      </div>
      <p className={styles['outcome']} aria-hidden="true">
        {marks.some((mark) => mark.label === outcome) ? '' : outcome}
      </p>
    </figure>
  )
}
