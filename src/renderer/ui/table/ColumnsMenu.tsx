import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { TableColumns, TableKind } from '../../store/tables/column-ids.ts'
import { movedColumn, toggledColumn } from '../../store/tables/table-columns.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../Button.tsx'
import styles from './ColumnsMenu.module.css'

const words = text.tables.columns

interface Choice<C> {
  readonly id: C
  readonly head: string
}

interface ListProps<K extends TableKind> {
  readonly kind: K
  /** All columns that the table can have here. */
  readonly all: readonly Choice<TableColumns[K]>[]
  /** Those that it has now, in order. */
  readonly shown: readonly TableColumns[K][]
}

function Line<K extends TableKind>({
  column: { id, head },
  kind,
  shown,
}: Omit<ListProps<K>, 'all'> & { readonly column: Choice<TableColumns[K]> }): ReactNode {
  const setColumns = useAppState((state) => state.setColumns)
  const at = shown.indexOf(id)
  const move = (by: -1 | 1): void => setColumns(kind, movedColumn(shown, id, by))
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={at !== -1}
          aria-label={words.show(head)}
          onChange={() => setColumns(kind, toggledColumn(shown, id))}
        />
        {head}
      </label>
      {at === -1 ? null : (
        <>
          <Button
            variant="quiet"
            icon="up"
            isSmall
            label={words.left(head)}
            title={words.left(head)}
            isRefused={at === 0}
            onClick={() => move(-1)}
          />
          <Button
            variant="quiet"
            icon="down"
            isSmall
            label={words.right(head)}
            title={words.right(head)}
            isRefused={at === shown.length - 1}
            onClick={() => move(1)}
          />
        </>
      )}
    </li>
  )
}

function List<K extends TableKind>({ kind, all, shown }: ListProps<K>): ReactNode {
  const setColumns = useAppState((state) => state.setColumns)
  const isChosen = useAppState((state) => state.tables[kind].columns !== null)
  const inOrder = [
    ...shown.flatMap((id) => all.find((column) => column.id === id) ?? []),
    ...all.filter(({ id }) => !shown.includes(id)),
  ]
  return (
    <>
      <ul>
        {inOrder.map((column) => (
          <Line key={column.id} column={column} kind={kind} shown={shown} />
        ))}
      </ul>
      <p>{words.hint}</p>
      <Button isRefused={!isChosen} onClick={() => setColumns(kind, null)}>
        {words.reset}
      </Button>
    </>
  )
}

/** A button with the list of a table's columns: each is shown or not, and moved to the left or right. */
export function ColumnsMenu<K extends TableKind>(props: ListProps<K>): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <div
      className={styles['place']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Button
        ref={opener}
        icon="gear"
        title={words.title}
        isExpanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.button}
      </Button>
      {isOpen ? (
        // It handles Esc for its controls, and takes the focus that a click on its text would send to the page.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
        <fieldset
          tabIndex={-1}
          aria-label={words.list}
          className={styles['list']}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key !== 'Escape') return
            event.preventDefault()
            opener.current?.focus()
            setOpen(false)
          }}
        >
          <List {...props} />
        </fieldset>
      ) : null}
    </div>
  )
}
