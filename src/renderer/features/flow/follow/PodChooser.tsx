import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { PodKey, PodRow } from '../../../../shared/model/pod-row.ts'
import { matchesFilter, parseFilter } from '../../../store/rows/row-filter.ts'
import { Glyph } from '../../../ui/signs/Glyph.tsx'
import { workerWord } from '../../../words/worker-word.ts'
import styles from './FollowBar.module.css'
import { usePods } from '../lists/use-pods.ts'
import { hasWorker } from '../../../words/worker-word.ts'

const foundShown = 8

/** Finds one pod by name, namespace or UID; Esc closes. */
export function PodChooser({
  onChoose,
  onClose,
}: {
  readonly onChoose: (key: PodKey) => void
  readonly onClose: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const place = useRef<HTMLFormElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const filter = parseFilter(typed)
  const found = usePods((row: PodRow) => hasWorker(row) && matchesFilter(row, filter)).rows
  const shown = found.slice(0, foundShown)
  useEffect(() => {
    box.current?.focus()
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onClose()
    }
    const handlePointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && place.current?.parentElement?.contains(target) === false)
        onClose()
    }
    document.addEventListener('keydown', handleKeyDown, { capture: true })
    document.addEventListener('pointerdown', handlePointerDown)
    return () => {
      document.removeEventListener('keydown', handleKeyDown, { capture: true })
      document.removeEventListener('pointerdown', handlePointerDown)
    }
  }, [onClose])
  return (
    <form
      ref={place}
      className={styles['chooser']}
      aria-label="Follow a pod"
      onSubmit={(event) => {
        event.preventDefault()
        const [first] = shown
        if (first !== undefined) onChoose(first.key)
      }}
    >
      <input
        ref={box}
        className={styles['box']}
        aria-label="Find a pod to follow"
        placeholder="name, namespace or UID"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <ul className={styles['found']}>
        {shown.map((row) => (
          <li key={row.key}>
            <button type="button" className={styles['pod']} onClick={() => onChoose(row.key)}>
              <Glyph name={row.source} />
              <span className={styles['name']}>
                {row.namespace}/{row.name}
              </span>
              <span className={styles['faint']}>{workerWord(row.worker)}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <span className={styles['faint']}>No pod matches.</span> : null}
    </form>
  )
}
