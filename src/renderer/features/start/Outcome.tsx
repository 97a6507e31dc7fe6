import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './Lessons.module.css'

/** The outcome of a lesson; it stays. `isOk`: undefined while the lesson runs. */
export function Outcome({
  isOk,
  children,
}: {
  readonly isOk: boolean | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <output className={classNames(styles['done'], isOk === false && styles['failed'])}>
      <Icon name={isOk === undefined ? 'clock' : isOk ? 'check' : 'error'} />
      <span className={styles['outcome']}>{children}</span>
    </output>
  )
}
