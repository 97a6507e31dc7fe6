import type { ReactNode, Ref } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import styles from './FilterField.module.css'

/** A filter with its clear button and counts. Esc clears it first, then calls `onLeave`. */
export function FilterField({
  ref,
  label,
  placeholder,
  text,
  shown,
  total,
  onChange,
  onLeave,
}: {
  readonly ref?: Ref<HTMLInputElement>
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly shown: number
  readonly total: number
  readonly onChange: (text: string) => void
  readonly onLeave?: () => void
}): ReactNode {
  return (
    <div className={styles['box']}>
      <Icon name="filter" />
      <input
        ref={ref}
        className={styles['input']}
        type="text"
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape' && text !== '') onChange('')
          else if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'ArrowDown')
            onLeave?.()
        }}
      />
      {text === '' ? null : (
        <Button
          look="quiet"
          icon="close"
          label="Clear the filter"
          isSmall
          onClick={() => onChange('')}
        />
      )}
      <span className={styles['count']} aria-live="polite">
        {shown} of {total}
      </span>
      {ref === undefined ? null : <Kbd>/</Kbd>}
    </div>
  )
}
