import type { ReactNode } from 'react'
import { useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './Segmented.module.css'

export interface Segment<T> {
  readonly value: T
  readonly label: ReactNode
  readonly title?: string
}

/** One of a few, as a radio group: arrow keys choose, Tab goes past. */
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
  const group = useRef<HTMLDivElement>(null)
  const chosen = segments.findIndex((segment) => segment.value === value)
  const choose = (index: number): void => {
    const segment = segments[(index + segments.length) % segments.length]
    if (segment === undefined) return
    onChange(segment.value)
    const buttons = group.current?.querySelectorAll('button')
    buttons?.[(index + segments.length) % segments.length]?.focus()
  }
  return (
    <div
      ref={group}
      className={classNames(styles['group'], isMono && styles['mono'])}
      role="radiogroup"
      aria-label={label}
    >
      {segments.map((segment, index) => (
        <button
          key={String(segment.value)}
          type="button"
          role="radio"
          aria-checked={index === chosen}
          tabIndex={index === Math.max(0, chosen) ? 0 : -1}
          title={segment.title}
          className={classNames(styles['segment'], index === chosen && styles['on'])}
          onClick={() => onChange(segment.value)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            event.stopPropagation()
            choose(index + step)
          }}
        >
          {segment.label}
        </button>
      ))}
    </div>
  )
}
