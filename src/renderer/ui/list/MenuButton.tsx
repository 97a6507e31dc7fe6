import type { ReactNode } from 'react'
import { useId, useRef, useState } from 'react'
import { Button } from '../Button.tsx'
import { classNames } from '../class-names.ts'
import type { IconName } from '../Icon.tsx'
import { Icon } from '../Icon.tsx'
import { listKeys } from './list-keys.ts'
import styles from './MenuButton.module.css'

export interface MenuItem {
  readonly id: string
  readonly icon?: IconName
  readonly words: string
  /** For a menu in which one of the items is chosen. */
  readonly isChecked?: boolean
  /** Why it cannot be chosen; empty if it can. */
  readonly refusal?: string
  readonly onChoose: () => void
}

function Item({
  item: { icon, words, isChecked, refusal = '', onChoose },
  hasFocus,
}: {
  readonly item: MenuItem
  readonly hasFocus: boolean
}): ReactNode {
  const reason = useId()
  const isRefused = refusal !== ''
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      tabIndex={-1}
      className={styles['item']}
      aria-checked={isChecked}
      aria-disabled={isRefused || undefined}
      aria-describedby={isRefused ? reason : undefined}
      // A menu takes the focus when it opens.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={hasFocus}
      onClick={() => {
        if (!isRefused) onChoose()
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      <span className={styles['words']}>
        <span>{words}</span>
        {isRefused ? (
          <span id={reason} className={styles['reason']}>
            {refusal}
          </span>
        ) : null}
      </span>
      {isChecked === true ? <Icon name="check" /> : null}
    </button>
  )
}

/**
 * A button with a menu under it, after the ARIA menu button pattern: arrows, Home, End and letters move the focus,
 * Enter and the space bar choose, Esc returns to the button, Tab leaves.
 */
export function MenuButton({
  icon,
  words,
  label,
  title,
  menu,
  items,
  isAtEnd = false,
}: {
  readonly icon: IconName
  /** Next to the icon; the label begins with them. */
  readonly words?: string
  readonly label: string
  readonly title: string
  /** The name of the menu. */
  readonly menu: string
  readonly items: readonly MenuItem[]
  /** Aligned with the button's right edge. */
  readonly isAtEnd?: boolean
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const buttons = (): readonly HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('button') ?? []),
  ]
  const close = (): void => {
    // First the focus: a dialog that the item opens restores it later.
    opener.current?.focus()
    setOpen(false)
  }
  const checked = Math.max(
    0,
    items.findIndex(({ isChecked }) => isChecked),
  )
  return (
    <div
      className={styles['place']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Button
        ref={opener}
        variant="quiet"
        icon={icon}
        label={label}
        title={title}
        hasMenu
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words}
      </Button>
      {isOpen ? (
        <div
          ref={list}
          role="menu"
          tabIndex={-1}
          aria-label={menu}
          className={classNames(styles['menu'], isAtEnd && styles['atEnd'])}
          onKeyDown={(event) => {
            const at = buttons().findIndex((item) => item === document.activeElement)
            const names = items.map(({ words }) => words)
            const onMove = (index: number): void => buttons()[index]?.focus()
            listKeys({ at, count: items.length, names, onMove, onEscape: close })(event)
          }}
        >
          {items.map((item, index) => (
            <Item
              key={item.id}
              item={{
                ...item,
                onChoose: () => {
                  close()
                  item.onChoose()
                },
              }}
              hasFocus={index === checked}
            />
          ))}
        </div>
      ) : null}
    </div>
  )
}
