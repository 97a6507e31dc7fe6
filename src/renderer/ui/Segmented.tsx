import type { ReactNode } from 'react'
import { useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './Segmented.module.css'

export interface Segment<T> {
  readonly value: T
  readonly label: ReactNode
  readonly title?: string
}

/** A choice of a few values, as radio buttons: arrow keys choose, Tab leaves. */
export function Segmented<T extends string | number | null>({
  label,
  segments,
  value,
  onChange,
  isMono = false,
}: {
  readonly label: string
  readonly segments: readonly Segment<T>[]
  readonly value: T | undefined
  readonly onChange: (value: T) => void
  readonly isMono?: boolean
}): ReactNode {
  const name = useId()
  return (
    <fieldset className={classNames(styles['group'], isMono && styles['mono'])} aria-label={label}>
      {segments.map((segment) => (
        <label
          key={String(segment.value)}
          className={classNames(styles['segment'], segment.value === value && styles['on'])}
          title={segment.title}
        >
          <input
            type="radio"
            className={styles['input']}
            name={name}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.label}
        </label>
      ))}
    </fieldset>
  )
}
