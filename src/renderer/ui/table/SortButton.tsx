import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { Icon } from '../Icon.tsx'
import textStyles from '../text.module.css'
import styles from './SortButton.module.css'

/** `aria-sort` of a head. */
export function sortOf<C>(
  id: C,
  sort: { readonly column: C; readonly descending: boolean },
): 'ascending' | 'descending' | undefined {
  if (id !== sort.column) return undefined
  return sort.descending ? 'descending' : 'ascending'
}

/** The head of a column; a click sorts by it, the second click in reverse. */
export function SortButton({
  head,
  sorted,
  isHidden = false,
  onSort,
}: {
  readonly head: string
  readonly sorted: 'ascending' | 'descending' | undefined
  /** Only for assistive technology: the column is too narrow. */
  readonly isHidden?: boolean
  readonly onSort: () => void
}): ReactNode {
  return (
    <button
      type="button"
      className={classNames(styles['sort'], sorted !== undefined && styles['sorted'])}
      title={text.common.sortBy(head)}
      onClick={onSort}
    >
      {isHidden ? <span className={textStyles['hidden']}>{head}</span> : head}
      {sorted === undefined ? null : <Icon name={sorted === 'descending' ? 'down' : 'up'} />}
    </button>
  )
}
