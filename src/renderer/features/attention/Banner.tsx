import type { ReactNode } from 'react'
import { useState } from 'react'
import type { NodeDialog } from '../../store/slices/node-acts-slice.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { clockText, lastingText, secondsLeft } from '../../words/time.ts'
import styles from './Banner.module.css'
import { useWallSeconds } from '../../store/use-wall-seconds.ts'

const words = text.attention.banner

/** A problem of a whole node, cluster or page. Times are the system's. */
export function Banner({
  title,
  icon = 'plug',
  isCalm = false,
  since,
  retryAt,
  children,
  onRetry,
  act,
  more,
  moreLabel = words.more,
  isMoreShown = true,
}: {
  readonly title: string
  readonly icon?: IconName
  /** Not a problem, only to be seen at once. */
  readonly isCalm?: boolean
  /** Undefined: it was always so. */
  readonly since?: number
  readonly retryAt?: number | null
  readonly children: ReactNode
  /** Tries at once. */
  readonly onRetry?: () => void
  /** Ends the problem; its dialog asks first. */
  readonly act?: { readonly label: string; readonly dialog: NodeDialog }
  readonly more?: ReactNode
  /** For the button that shows `more` again. */
  readonly moreLabel?: string
  /** Whether `more` is open at first. */
  readonly isMoreShown?: boolean
}): ReactNode {
  const now = useWallSeconds()
  const ask = useAppState((state) => state.askNodeAct)
  const [isOpen, setOpen] = useState(isMoreShown)
  return (
    <section className={classNames(styles['banner'], isCalm && styles['calm'])} aria-label={title}>
      <div className={styles['row']}>
        <span className={styles['sign']}>
          <Icon name={icon} />
        </span>
        <div className={styles['words']}>
          <h2>
            <span role="alert">{title}</span>
            {since === undefined ? null : (
              <>
                {words.lasting}
                <span className={styles['lasting']}>{lastingText(now - since)}</span>
              </>
            )}
          </h2>
          <p>
            {since === undefined ? null : words.since(clockText(since))}
            {children}
          </p>
        </div>
        {retryAt === undefined || retryAt === null ? null : (
          <div className={styles['retry']}>
            <span>{words.retry}</span>
            <b>{text.common.seconds(secondsLeft(retryAt, now))}</b>
          </div>
        )}
        {onRetry === undefined ? null : (
          <Button variant="primary" onClick={onRetry}>
            {words.retryNow}
          </Button>
        )}
        {act === undefined ? null : (
          <Button variant="primary" onClick={() => ask(act.dialog)}>
            {act.label}
          </Button>
        )}
        {more === undefined ? null : (
          <Button isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? words.less : moreLabel}
          </Button>
        )}
      </div>
      {isOpen ? more : null}
    </section>
  )
}
