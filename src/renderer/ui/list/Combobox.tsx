import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import styles from './Combobox.module.css'
import type { ListHandlers } from './list-keys.ts'
import { listKeys } from './list-keys.ts'

/** The field above a listbox: the typed text filters the list, and the keys move in the list. */
export function Combobox({
  label,
  placeholder,
  value,
  onChange,
  list,
  activeId,
  acts,
  isInDialog = false,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The id of the listbox. */
  readonly list: string
  /** Undefined: no matches. */
  readonly activeId: string | undefined
  readonly acts: ListHandlers
  /** The dialog focuses it and restores the focus. */
  readonly isInDialog?: boolean
}): ReactNode {
  return (
    <div className={styles['box']}>
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        data-autofocus={isInDialog || undefined}
        // A menu over the view takes the focus.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={!isInDialog}
        className={isInDialog ? styles['large'] : styles['input']}
        aria-label={label}
        aria-expanded={activeId !== undefined}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={listKeys(acts)}
      />
    </div>
  )
}
