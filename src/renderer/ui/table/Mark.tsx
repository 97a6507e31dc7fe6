import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Icon } from '../Icon.tsx'
import styles from './Mark.module.css'

/** The box of a row that can be selected; the row itself tells assistive technology. */
export function Mark({ isMarked }: { readonly isMarked: boolean }): ReactNode {
  return (
    <span aria-hidden="true" className={classNames(styles['mark'], isMarked && styles['on'])}>
      {isMarked ? <Icon name="check" /> : null}
    </span>
  )
}
