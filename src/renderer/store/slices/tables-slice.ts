import type { Selectors } from '../../../shared/model/row-selectors.ts'
import type { PreferenceStorage } from '../preferences.ts'
import { readPreferences, savePreference } from '../preferences.ts'
import type { Marking } from '../tables/marking.ts'
import { noMarking } from '../tables/marking.ts'
import type { TableColumns, TableKind } from '../tables/column-ids.ts'
import type { Tables, TableState } from '../tables/table-state.ts'
import { firstTable, tableText } from '../tables/table-state.ts'

export interface TablesSlice {
  readonly tables: Tables
  /** Sorts by the column; the second time in reverse. */
  readonly sortBy: <K extends TableKind>(kind: K, column: TableColumns[K]) => void
  /** Null: the table's own choice. */
  readonly setColumns: <K extends TableKind>(
    kind: K,
    columns: readonly TableColumns[K][] | null,
  ) => void
  readonly setFilterText: (kind: TableKind, text: string) => void
  readonly setSelectors: (kind: TableKind, selectors: Selectors) => void
  readonly setMarking: (kind: TableKind, marking: Marking) => void
}

/** The tables at the start of the page. */
export function firstTables(memory: PreferenceStorage): Tables {
  const stored = readPreferences(memory).tables
  return { pods: firstTable('pods', stored.pods), nodes: firstTable('nodes', stored.nodes) }
}

/** What the user sets of the tables; columns and order are remembered, filters and marks are not. */
export function tablesSlice(
  set: (part: Partial<TablesSlice>) => void,
  get: () => TablesSlice,
  memory: PreferenceStorage,
): TablesSlice {
  const change = <K extends TableKind>(
    kind: K,
    part: Partial<TableState<TableColumns[K]>>,
  ): TableState<TableColumns[K]> => {
    const { tables } = get()
    const table = { ...tables[kind], ...part }
    set({ tables: { ...tables, [kind]: table } })
    return table
  }
  const changeAndKeep = <K extends TableKind>(
    kind: K,
    part: Partial<TableState<TableColumns[K]>>,
  ): void => savePreference(memory, `${kind}Table`, tableText(change(kind, part)))
  return {
    tables: firstTables(memory),
    sortBy: (kind, column) => {
      const { sort } = get().tables[kind]
      changeAndKeep(kind, {
        sort: { column, descending: sort.column === column && !sort.descending },
      })
    },
    setColumns: (kind, columns) => changeAndKeep(kind, { columns }),
    // An act is only for rows that the user sees: other rows are marked anew.
    setFilterText: (kind, filterText) => change(kind, { filterText, ...noMarking }),
    setSelectors: (kind, selectors) => change(kind, { selectors, ...noMarking }),
    setMarking: (kind, marking) => change(kind, marking),
  }
}
