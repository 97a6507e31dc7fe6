import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

/** Nothing is here; says what would fill it, and the one act that does. */
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
