import type { ReactNode } from 'react'
import { Kbd } from './Kbd.tsx'
import styles from './KeysLine.module.css'

/** The keys of a view, at its bottom. `children` stand at their right, and are whole. */
export function KeysLine({
  keys,
  children,
}: {
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[]
  readonly children?: ReactNode
}): ReactNode {
  return (
    <div className={styles['line']}>
      <div className={styles['keys']}>
        {keys.map((entry) => (
          <span key={entry.does}>
            {entry.keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
            {entry.does}
          </span>
        ))}
      </div>
      {children}
    </div>
  )
}
