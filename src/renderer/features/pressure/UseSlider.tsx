import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import styles from './UseSlider.module.css'

const positions = 200

/** Small amounts get more of the slider than large ones. */
function positionOf(amount: number, most: number): number {
  return most <= 0 ? 0 : Math.round(positions * Math.sqrt(Math.min(1, Math.max(0, amount / most))))
}

function amountAt(position: number, most: number): number {
  return Math.round(most * (position / positions) ** 2)
}

/** Sets an assumed use. With Shift, the arrow keys go to the next of the ticks. */
export function UseSlider({
  label,
  value,
  most,
  ticks,
  write,
  isAssumed,
  onChange,
}: {
  readonly label: string
  readonly value: number
  readonly most: number
  readonly ticks: readonly number[]
  readonly write: (amount: number) => string
  readonly isAssumed: boolean
  readonly onChange: (amount: number) => void
}): ReactNode {
  const handleKey = (event: KeyboardEvent): void => {
    if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    const next =
      event.key === 'ArrowRight'
        ? ticks.toSorted((a, b) => a - b).find((tick) => tick > value)
        : ticks.toSorted((a, b) => b - a).find((tick) => tick < value)
    if (next !== undefined) onChange(next)
  }
  return (
    <span className={classNames(styles['slider'], isAssumed && styles['assumed'])}>
      {ticks.map((tick, index) => (
        <i key={index} style={{ left: `${(positionOf(tick, most) / positions) * 100}%` }} />
      ))}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={write(value)}
        min={0}
        max={positions}
        step={1}
        value={positionOf(value, most)}
        onKeyDown={handleKey}
        onChange={({ target }) => onChange(amountAt(target.valueAsNumber, most))}
      />
    </span>
  )
}
