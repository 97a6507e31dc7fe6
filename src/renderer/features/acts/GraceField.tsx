import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { text } from '../../text/text.ts'
import type { Segment } from '../../ui/Segmented.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import textStyles from '../../ui/text.module.css'
import styles from './GraceField.module.css'

const words = text.acts.grace

/** A longer grace period than a day is taken as a typing error. */
const mostSeconds = 86_400

/**
 * The typed text in seconds; null (the pod's own) for an empty text, NaN for anything but whole seconds up to a day:
 * 1.5 read as 15 would be ten times the grace.
 */
export function parseGrace(input: string): number | null {
  const typed = input.trim()
  if (typed === '') return null
  return /^\d+$/.test(typed) && Number(typed) <= mostSeconds ? Number(typed) : Number.NaN
}

/** Whether a grace period can be requested. */
export function isGrace(seconds: number | null): boolean {
  return seconds === null || !Number.isNaN(seconds)
}

/** The common graces; null, the pod's own, replaces the same number. Pure. */
function usualGraces(specSeconds: number): readonly Segment<number | null>[] {
  const others = [0, 5, 10].filter((seconds) => seconds !== specSeconds)
  return [...others, specSeconds]
    .toSorted((left, right) => left - right)
    .map((seconds) =>
      seconds === specSeconds
        ? { value: null, label: words.fromSpec(seconds) }
        : { value: seconds, label: String(seconds) },
    )
}

/** Grace in seconds, typed or chosen. null is the pod's own, NaN an invalid text. */
export function GraceField({
  value,
  specSeconds,
  rule: ruleText,
  onChange,
}: {
  readonly value: number | null
  readonly specSeconds: number
  /** How small values are treated. */
  readonly rule: string
  readonly onChange: (seconds: number | null) => void
}): ReactNode {
  const id = useId()
  const rule = useId()
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const isWrong = !isGrace(value)
  // A choice replaces the typed text.
  const shown = Object.is(parseGrace(typed), value) ? typed : String(value ?? '')
  return (
    <div className={styles['set']}>
      <label htmlFor={id} className={styles['label']}>
        {words.label}
        <span className={textStyles['hidden']}>{words.inSeconds}</span>
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
          {words.unit}
        </span>
      </span>
      <Segmented<number | null>
        label={words.common}
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
        {isWrong ? words.invalid(mostSeconds) : ruleText}
      </span>
    </div>
  )
}
