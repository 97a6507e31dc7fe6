/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms and share one grid template, which table elements do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Mark } from '../../ui/table/Mark.tsx'
import { SortButton, sortOf } from '../../ui/table/SortButton.tsx'
import type { Column } from './columns.ts'
import styles from './GridHead.module.css'

/** The heads; a click sorts by a column, the second click in reverse. The first one selects all rows. */
export const GridHead = memo(function GridHead({
  columns,
  template,
  minWidth,
  isAllMarked,
  onMarkAll,
}: {
  readonly columns: readonly Column[]
  readonly template: string
  /** Of a table that scrolls sideways. */
  readonly minWidth: string | undefined
  readonly isAllMarked: boolean
  readonly onMarkAll: () => void
}): ReactNode {
  const sort = useAppState((state) => state.tables.pods.sort)
  const sortBy = useAppState((state) => state.sortBy)
  return (
    <div role="rowgroup" className={styles['group']} style={{ minWidth }}>
      <div
        role="row"
        aria-rowindex={1}
        className={styles['head']}
        style={{ gridTemplateColumns: template }}
      >
        <div role="columnheader" className={styles['cell']}>
          <button
            type="button"
            className={styles['all']}
            aria-label={text.tables.marked.all}
            title={text.tables.marked.all}
            aria-pressed={isAllMarked}
            onClick={onMarkAll}
          >
            <Mark isMarked={isAllMarked} />
          </button>
        </div>
        {columns.map((column) => {
          const sorted = sortOf(column.id, sort)
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={sorted}
              className={classNames(styles['cell'], column.isNumber && styles['right'])}
            >
              <SortButton
                head={column.head}
                sorted={sorted}
                isHidden={column.isSign === true}
                onSort={() => sortBy('pods', column.id)}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
})
