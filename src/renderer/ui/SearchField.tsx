import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { classNames } from './class-names.ts'
import type { IconName } from './Icon.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'
import styles from './SearchField.module.css'

/** A text field with an icon, a clear button, a count and the hint of its key. Esc clears it first, then is `onKey`'s. */
export function SearchField({
  icon,
  value,
  count,
  clearLabel,
  hasKeyHint,
  isMono = false,
  onChange,
  onKey,
  ...input
}: {
  readonly icon: IconName
  readonly value: string
  readonly count: string
  readonly clearLabel: string
  /** Shows that `/` focuses it. */
  readonly hasKeyHint: boolean
  readonly isMono?: boolean
  readonly onChange: (text: string) => void
  /** Returns whether it handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean
} & Pick<
  ComponentProps<'input'>,
  | 'ref'
  | 'role'
  | 'placeholder'
  | 'aria-label'
  | 'aria-autocomplete'
  | 'aria-expanded'
  | 'aria-controls'
  | 'aria-activedescendant'
>): ReactNode {
  const handleKey = (event: KeyboardEvent): boolean => {
    if (event.key !== 'Escape' || value === '') return onKey(event)
    onChange('')
    return true
  }
  return (
    <div className={styles['box']}>
      <Icon name={icon} />
      <input
        {...input}
        type="text"
        className={classNames(styles['input'], isMono && styles['mono'])}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (handleKey(event)) event.preventDefault()
        }}
      />
      {value === '' ? null : (
        <Button
          variant="quiet"
          icon="close"
          label={clearLabel}
          isSmall
          onClick={() => onChange('')}
        />
      )}
      <span className={styles['count']} aria-live="polite">
        {count}
      </span>
      {hasKeyHint ? <Kbd>/</Kbd> : null}
    </div>
  )
}
