import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { Segment } from '../../ui/Segmented.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import text from '../../ui/text.module.css'
import styles from './GraceField.module.css'

/** More than a day of grace is a slip of the hand. */
const mostSeconds = 86_400

/**
 * What was typed, as seconds; null (the pod's own) for nothing at all. NaN for what is no whole number up to a day:
 * it is refused, since 1.5 read as 15 would be ten times the grace.
 */
export function parseGrace(text: string): number | null {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d+$/.test(typed) && Number(typed) <= mostSeconds ? Number(typed) : Number.NaN
}

/** Whether it is a grace that can be asked for. */
export function isGrace(seconds: number | null): boolean {
  return seconds === null || !Number.isNaN(seconds)
}

/** Each grace once: the pod's own, null, takes the place of the same number. Pure. */
function usualGraces(specSeconds: number): readonly Segment<number | null>[] {
  const others = [0, 5, 10].filter((seconds) => seconds !== specSeconds)
  return [...others, specSeconds]
    .toSorted((one, other) => one - other)
    .map((seconds) =>
      seconds === specSeconds
        ? { value: null, label: `${seconds} from spec` }
        : { value: seconds, label: String(seconds) },
    )
}

/** Grace in seconds: typed, or one of the usual. null is the pod's own, NaN what was typed and is none. */
export function GraceField({
  value,
  specSeconds,
  onChange,
}: {
  readonly value: number | null
  readonly specSeconds: number
  readonly onChange: (seconds: number | null) => void
}): ReactNode {
  const id = useId()
  const rule = useId()
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const isWrong = !isGrace(value)
  // What is chosen beside it takes the place of what was typed.
  const shown = Object.is(parseGrace(typed), value) ? typed : String(value ?? '')
  return (
    <div className={styles['set']}>
      <label htmlFor={id} className={styles['label']}>
        Grace <span className={text['hidden']}>in seconds</span>
      </label>
      <span className={styles['field']}>
        <input
          id={id}
          className={styles['input']}
          inputMode="numeric"
          autoComplete="off"
          placeholder={String(specSeconds)}
          aria-invalid={isWrong || undefined}
          aria-describedby={rule}
          value={shown}
          onChange={(event) => {
            setTyped(event.target.value)
            onChange(parseGrace(event.target.value))
          }}
        />
        <span className={styles['unit']} aria-hidden="true">
          s
        </span>
      </span>
      <Segmented<number | null>
        label="Common grace periods"
        isMono
        value={value === specSeconds ? null : value}
        onChange={onChange}
        segments={usualGraces(specSeconds)}
      />
      <span
        id={rule}
        role={isWrong ? 'alert' : undefined}
        className={isWrong ? styles['wrong'] : styles['rule']}
      >
        {isWrong
          ? `Not a grace period: type whole seconds from 0 to ${mostSeconds}`
          : '0 is treated as 1 s; SIGKILL comes after 2 s at the earliest'}
      </span>
    </div>
  )
}
