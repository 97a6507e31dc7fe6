import type { ReactNode } from 'react'
import styles from '../ActDialog.module.css'
import { classNames } from '../class-names.ts'
import type { IconName } from '../Icon.tsx'
import { Icon } from '../Icon.tsx'

/** What a dialog does, to what, and in which cluster. */
export function ActDialogHead({
  icon,
  title,
  label,
  isCalm = false,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  /** Of the cluster. */
  readonly label: string
  /** Nothing ends by it. */
  readonly isCalm?: boolean
  /** A line below the title: the name of what is acted on, or what the dialog is for. */
  readonly children?: ReactNode
}): ReactNode {
  return (
    <div className={styles['head']}>
      <span className={classNames(styles['sign'], isCalm && styles['calm'])}>
        <Icon name={icon} />
      </span>
      <div className={styles['names']}>
        <h2>{title}</h2>
        {children}
      </div>
      <span className={styles['where']}>{label}</span>
    </div>
  )
}
