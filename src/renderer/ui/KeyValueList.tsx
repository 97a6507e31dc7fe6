import type { ReactNode } from 'react'
import styles from './KeyValueList.module.css'

export interface KeyValue {
  readonly label: string
  readonly value: ReactNode
  /** Drawn fainter: nothing has happened yet. */
  readonly isQuiet?: boolean
}

export function KeyValueList({ items }: { readonly items: readonly KeyValue[] }): ReactNode {
  return (
    <dl className={styles['list']}>
      {items.map(({ label, value, isQuiet = false }) => (
        <div key={label} className={styles['pair']}>
          <dt>{label}</dt>
          <dd className={isQuiet ? styles['quiet'] : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
