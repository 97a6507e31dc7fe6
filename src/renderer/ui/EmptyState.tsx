import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

/** Shown for an empty list: what would fill it, and a button that does. */
export function EmptyState({
  title,
  children,
  act,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly act?: ReactNode
}): ReactNode {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      <p>{children}</p>
      {act}
    </div>
  )
}
