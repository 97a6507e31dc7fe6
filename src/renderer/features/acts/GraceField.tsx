import type { ReactNode } from 'react'
import { useId } from 'react'
import type { Segment } from '../../ui/Segmented.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import text from '../../ui/text.module.css'
import styles from './GraceField.module.css'

/** More than a day of grace is a slip of the hand. */
const mostSeconds = 86_400

/**
 * What was typed, as seconds; null (the pod's own) for nothing at all. Undefined for what is no whole
 * number: it is not taken, since 1.5 read as 15 would be ten times the grace.
 */
export function parseGrace(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  return /^\d+$/.test(typed) ? Math.min(mostSeconds, Number(typed)) : undefined
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

/** Grace in seconds: typed, or one of the usual. null is the pod's own. */
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
          value={value === null ? '' : String(value)}
          onChange={(event) => {
            const seconds = parseGrace(event.target.value)
            if (seconds !== undefined) onChange(seconds)
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
      <span className={styles['rule']}>
        0 is treated as 1 s; SIGKILL comes after 2 s at the earliest
      </span>
    </div>
  )
}
