import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { Button } from '../Button.tsx'

/** The words to look for in a text, and the way from match to match. */
export function CodeFind({
  label,
  words,
  count,
  current,
  onWords,
  onMove,
  onClose,
}: {
  readonly label: string
  readonly words: string
  readonly count: number
  /** From 0. */
  readonly current: number
  readonly onWords: (words: string) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onClose: () => void
}): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <section className={styles['find']} aria-label={`Search of ${label}`}>
      <input
        ref={input}
        type="text"
        className={styles['words']}
        aria-label={`Find in ${label}`}
        placeholder="Find"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onMove(event.shiftKey ? -1 : 1)
          else if (event.key === 'Escape') onClose()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <output className={styles['count']}>
        {words === '' ? '' : count === 0 ? 'none' : `${current + 1} of ${count}`}
      </output>
      <Button
        look="quiet"
        icon="up"
        isSmall
        label="Previous match"
        title="Previous match (Shift+Enter)"
        onClick={() => onMove(-1)}
      />
      <Button
        look="quiet"
        icon="down"
        isSmall
        label="Next match"
        title="Next match (Enter)"
        onClick={() => onMove(1)}
      />
      <Button
        look="quiet"
        icon="close"
        isSmall
        label="Close the search"
        title="Close (Esc)"
        onClick={onClose}
      />
    </section>
  )
}
