import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { clockText, lastingText } from '../../words/time.ts'
import styles from './Banner.module.css'
import { useWallSeconds } from './use-wall-seconds.ts'

/** Trouble of the whole: since when, what it means, when it is tried again. Times are the system's. */
export function Banner({
  title,
  since,
  retryAt,
  children,
  onRetry,
  act,
  more,
  moreWords = 'What continues, what waits',
  isMoreShown = true,
}: {
  readonly title: string
  /** Undefined: it was never otherwise. */
  readonly since?: number
  readonly retryAt?: number | null
  readonly children: ReactNode
  /** Tries at once. */
  readonly onRetry?: () => void
  /** What puts it right. */
  readonly act?: { readonly label: string; readonly onDo: () => void } | undefined
  readonly more?: ReactNode
  /** What `more` is about, for the button that shows it again. */
  readonly moreWords?: string
  /** Whether `more` stands open at first. */
  readonly isMoreShown?: boolean
}): ReactNode {
  const now = useWallSeconds()
  const [isOpen, setOpen] = useState(isMoreShown)
  return (
    <section className={styles['banner']} aria-label={title}>
      <div className={styles['row']}>
        <span className={styles['sign']}>
          <Icon name="plug" />
        </span>
        <div className={styles['words']}>
          <h2>
            <span role="alert">{title}</span>
            {since === undefined ? null : (
              <>
                , for <span className={styles['lasting']}>{lastingText(now - since)}</span>
              </>
            )}
          </h2>
          <p>
            {since === undefined ? null : `Since ${clockText(since)} UTC. `}
            {children}
          </p>
        </div>
        {retryAt === undefined || retryAt === null ? null : (
          <div className={styles['retry']}>
            <span>tried again in</span>
            <b>{Math.max(0, Math.ceil((retryAt - now) / 1000))} s</b>
          </div>
        )}
        {onRetry === undefined ? null : (
          <Button look="primary" onClick={onRetry}>
            Try now
          </Button>
        )}
        {act === undefined ? null : (
          <Button look="primary" onClick={act.onDo}>
            {act.label}
          </Button>
        )}
        {more === undefined ? null : (
          <Button isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : moreWords}
          </Button>
        )}
      </div>
      {isOpen ? more : null}
    </section>
  )
}
