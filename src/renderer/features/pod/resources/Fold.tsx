import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './Fold.module.css'

/** A part that can be opened. What is in it is rendered only while it is open. */
export function Fold({
  title,
  label,
  summary,
  isOpenAtFirst = false,
  children,
}: {
  readonly title: string
  /** The name of the opened part. */
  readonly label: string
  /** Beside the title, open or not. */
  readonly summary?: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly children: ReactNode
}): ReactNode {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const content = useId()
  return (
    <div className={styles['fold']}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? content : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={isOpen ? styles['open'] : styles['closed']}>
          <Icon name="down" />
        </span>
        <span className={styles['title']}>{title}</span>
        <span className={styles['summary']}>{summary}</span>
      </button>
      {isOpen ? (
        <section id={content} aria-label={label}>
          {children}
        </section>
      ) : null}
    </div>
  )
}
