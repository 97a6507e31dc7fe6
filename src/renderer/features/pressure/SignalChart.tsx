import type { ReactNode } from 'react'
import { amountText } from '../../../shared/model/pressure/ranking-words.ts'
import type { SignalView } from '../../../shared/model/pressure/pressure-view.ts'
import { reachedAt } from '../../../shared/model/pressure/what-if.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/text.module.css'
import styles from './SignalChart.module.css'
import { thresholdWords } from './threshold-words.ts'

const words = text.pressure.signals
/** Shown before now, ms. */
const pastMs = 600_000
/** Where now is, in percent of the width. */
const nowAt = 78

interface Place {
  readonly x: number
  readonly y: number
}

/** In percent of the chart. `top`: the amount at its upper edge. Pure. */
function placeOf(at: number, amount: number, now: number, top: number): Place {
  const x = Math.max(0, nowAt - ((now - at) / pastMs) * nowAt)
  return { x, y: 100 - (Math.min(amount, top) / top) * 100 }
}

function lineOf(places: readonly Place[]): string {
  return places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
}

/** Where the line goes on to the right edge, if it falls as it did in the last minute. */
function comingLine(signal: SignalView, now: number, top: number): string {
  const { available } = signal
  if (available === null) return ''
  const zeroAt = reachedAt(signal, now, 0)
  const end = now + (pastMs * (100 - nowAt)) / nowAt
  const left =
    zeroAt === null ? available : Math.max(0, available * (1 - (end - now) / (zeroAt - now)))
  const to = { ...placeOf(now, left, now, top), x: 100 }
  return lineOf([placeOf(now, available, now, top), to])
}

/** What was available, with the thresholds as lines: hard ones solid, soft ones dashed. */
export function SignalChart({
  signal,
  now,
}: {
  readonly signal: SignalView
  readonly now: number
}): ReactNode {
  const { available, thresholds, resource } = signal
  const shown = signal.history.filter(({ at }) => at >= now - pastMs)
  const amounts = [...shown.map((point) => point.available), ...thresholds.map(({ at }) => at)]
  const top = Math.max(1, available ?? 0, ...amounts) * 1.1
  const line = lineOf([
    ...shown.map((point) => placeOf(point.at, point.available, now, top)),
    ...(available === null ? [] : [placeOf(now, available, now, top)]),
  ])
  const said = [
    available === null ? words.unknown : amountText(resource, available),
    ...thresholds.map((threshold) => thresholdWords(signal, threshold)),
  ]
  return (
    <figure className={styles['chart']}>
      <figcaption className={textStyles['hidden']}>
        {words.chart(signal.signal, said.join(', '))}
      </figcaption>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polyline points={line} />
        <polyline className={styles['coming']} points={comingLine(signal, now, top)} />
      </svg>
      <i className={styles['now']} style={{ left: `${nowAt}%` }} />
      {thresholds.map((threshold) => {
        const y = 100 - (threshold.at / top) * 100
        return (
          <span
            key={`${threshold.isHard} ${threshold.value}`}
            className={classNames(
              styles['threshold'],
              !threshold.isHard && styles['soft'],
              y < 40 && styles['high'],
            )}
            style={{ top: `${y}%` }}
            aria-hidden="true"
          >
            <b>{thresholdWords(signal, threshold)}</b>
          </span>
        )
      })}
    </figure>
  )
}
