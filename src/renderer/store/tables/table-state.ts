import { isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { Selectors } from '../../../shared/model/row-selectors.ts'
import { noSelectors } from '../../../shared/model/row-selectors.ts'
import type { TableColumns, TableKind } from './column-ids.ts'
import { nodeColumns, sortColumns } from './column-ids.ts'
import type { Marking } from './marking.ts'
import { noMarking } from './marking.ts'

const known: { readonly [K in TableKind]: readonly TableColumns[K][] } = {
  pods: sortColumns,
  nodes: nodeColumns,
}

export interface TableSort<C> {
  readonly column: C
  readonly descending: boolean
}

/** What the browser remembers of a table. `columns`: those that the user has chosen, in order; null: the table's own choice. */
interface Remembered<C> {
  readonly columns: readonly C[] | null
  readonly sort: TableSort<C>
}

/** A table as the user has set it. */
export interface TableState<C> extends Remembered<C>, Marking {
  readonly filterText: string
  readonly selectors: Selectors
}

export type Tables = { readonly [K in TableKind]: TableState<TableColumns[K]> }

const usualSort: { readonly [K in TableKind]: TableSort<TableColumns[K]> } = {
  pods: { column: 'namespace', descending: false },
  nodes: { column: 'name', descending: false },
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Nothing is stored, or not by this program.
    return undefined
  }
}

/** What was stored, without columns that this version does not have. */
function remembered<K extends TableKind>(kind: K, text: string): Remembered<TableColumns[K]> {
  const stored = parsed(text)
  const fields = isJsonObject(stored) ? stored : {}
  const ids = known[kind]
  const named = (value: unknown): TableColumns[K][] => ids.filter((id) => id === value)
  const columns = [...new Set(listAt(fields, 'columns').flatMap(named))]
  const sort = objectAt(fields, 'sort')
  const [column] = named(textAt(sort, 'column'))
  return {
    columns: columns.length === 0 ? null : columns,
    sort:
      column === undefined ? usualSort[kind] : { column, descending: sort['descending'] === true },
  }
}

/** The text to store of a table. */
export function tableText<C>({ columns, sort }: Remembered<C>): string {
  return JSON.stringify({ columns, sort })
}

/** A table as it is at the start of the page; `stored`: by `tableText`. */
export function firstTable<K extends TableKind>(
  kind: K,
  stored: string,
): TableState<TableColumns[K]> {
  return { ...remembered(kind, stored), ...noMarking, filterText: '', selectors: noSelectors }
}
