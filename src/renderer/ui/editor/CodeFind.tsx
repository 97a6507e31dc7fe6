import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { text } from '../../text/text.ts'
import { Button } from '../Button.tsx'

const editorText = text.common.editor

/** The search field of the editor, with buttons for the next and the previous match. */
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
  const buttons = [
    ['up', editorText.previous, editorText.previousTitle, () => onMove(-1)],
    ['down', editorText.next, editorText.nextTitle, () => onMove(1)],
    ['close', editorText.closeSearch, editorText.closeTitle, onClose],
  ] as const
  return (
    <section className={styles['find']} aria-label={editorText.search(label)}>
      <input
        ref={input}
        type="text"
        className={styles['words']}
        aria-label={editorText.findIn(label)}
        placeholder={editorText.find}
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
        {words === ''
          ? ''
          : count === 0
            ? editorText.noneFound
            : editorText.match(current + 1, count)}
      </output>
      {buttons.map(([icon, name, title, act]) => (
        <Button
          key={icon}
          variant="quiet"
          icon={icon}
          isSmall
          label={name}
          title={title}
          onClick={act}
        />
      ))}
    </section>
  )
}
