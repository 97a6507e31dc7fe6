/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms and share one grid template, which table elements do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import textStyles from '../../ui/text.module.css'
import type { Column } from './columns.ts'
import styles from './GridHead.module.css'

/** The heads; a click sorts by a column, the second click in reverse. */
export const GridHead = memo(function GridHead({
  columns,
  template,
  minWidth,
}: {
  readonly columns: readonly Column[]
  readonly template: string
  /** Of a table that scrolls sideways. */
  readonly minWidth: string | undefined
}): ReactNode {
  const sort = useAppState((state) => state.sort)
  const sortBy = useAppState((state) => state.sortBy)
  return (
    <div role="rowgroup" className={styles['group']} style={{ minWidth }}>
      <div
        role="row"
        aria-rowindex={1}
        className={styles['head']}
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((column) => {
          const isSorted = column.id === sort.column
          const direction = sort.descending ? 'descending' : 'ascending'
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={isSorted ? direction : undefined}
              className={classNames(styles['cell'], column.isNumber && styles['right'])}
            >
              <button
                type="button"
                className={classNames(styles['sort'], isSorted && styles['sorted'])}
                title={text.common.sortBy(column.head)}
                onClick={() => sortBy(column.id)}
              >
                {column.isSign ? (
                  <span className={textStyles['hidden']}>{column.head}</span>
                ) : (
                  column.head
                )}
                {isSorted ? <Icon name={sort.descending ? 'down' : 'up'} /> : null}
              </button>
            </div>
          )
        })}
      </div>
    </div>
  )
})
