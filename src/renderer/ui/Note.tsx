import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import type { IconName } from './Icon.tsx'
import { Icon } from './Icon.tsx'
import styles from './Note.module.css'
import tone from './tone.module.css'

/** A message inside the view or dialog that it is about. */
export function Note({
  variant,
  icon,
  id,
  isAlert = false,
  children,
}: {
  readonly variant: 'warn' | 'error' | 'plain'
  readonly icon: IconName
  readonly id?: string
  /** Screen readers announce it when it appears. */
  readonly isAlert?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      id={id}
      role={isAlert ? 'alert' : undefined}
      className={classNames(styles['note'], variant === 'plain' ? undefined : tone[variant])}
    >
      <Icon name={icon} />
      <div className={styles['body']}>{children}</div>
    </div>
  )
}
