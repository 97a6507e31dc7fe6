import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import { themes } from '../../store/theme.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './ThemeMenu.module.css'
import { themeLooks } from './theme-looks.ts'

function Items({ onClose }: { readonly onClose: () => void }): ReactNode {
  const theme = useAppState((state) => state.theme)
  const setTheme = useAppState((state) => state.setTheme)
  return themes.map((choice) => (
    <button
      key={choice}
      type="button"
      role="menuitemradio"
      aria-checked={choice === theme}
      className={styles['item']}
      // A menu takes the focus when it opens.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={choice === theme}
      onClick={() => {
        setTheme(choice)
        onClose()
      }}
    >
      <Icon name={themeLooks[choice].icon} />
      <span className={styles['word']}>{themeLooks[choice].word}</span>
      {choice === theme ? <Icon name="check" /> : null}
    </button>
  ))
}

/** Dark, light, high contrast, or as the system is set; remembered. */
export function ThemeMenu(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const theme = useAppState((state) => state.theme)
  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const step = (by: number): void => {
    const items = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
    const at = items.findIndex((item) => item === document.activeElement)
    items[(at + by + items.length) % items.length]?.focus()
  }
  return (
    <div
      ref={place}
      className={styles['place']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Button
        ref={opener}
        look="quiet"
        icon={themeLooks[theme].icon}
        label="Theme"
        title={`Theme: ${themeLooks[theme].word}`}
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <div
          role="menu"
          tabIndex={-1}
          aria-label="Theme"
          className={styles['menu']}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') close()
            else if (event.key === 'ArrowDown') step(1)
            else if (event.key === 'ArrowUp') step(-1)
            else return
            event.preventDefault()
          }}
        >
          <Items onClose={close} />
        </div>
      ) : null}
    </div>
  )
}
