import type { KubeObject, ObjectMeta } from '../../../../shared/kubernetes/objects.ts'
import { ageSince } from '../../../../shared/kubernetes/printers/age.ts'

export interface ColumnDefinition {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** `name` for the column with the object's name; other formats are those of custom kinds. */
  readonly format: string
  readonly description: string
  /** 0 always; others only with -o wide. */
  readonly priority: number
}

export type Cell = string | number | boolean

/** How one resource is printed. Cells are in the order of the columns, wide ones included. */
export interface TableColumns {
  readonly columns: readonly ColumnDefinition[]
  readonly cells: (object: KubeObject, now: number) => readonly (Cell | null)[]
}

interface Column<K extends string> {
  readonly key: K
  readonly definition: ColumnDefinition
}

/** A column that shows the value with this key of each row. */
export function column<K extends string>(
  name: string,
  key: K,
  description: string,
  rest: Partial<ColumnDefinition> = {},
): Column<K> {
  const definition = {
    name,
    type: 'string',
    format: '',
    description,
    priority: 0,
    ...rest,
  } as const
  return { key, definition }
}

export const nameColumn = column('Name', 'name', 'The name of the object.', { format: 'name' })
export const ageColumn = column('Age', 'age', 'How long ago the object was created.')
export const wide = { priority: 1 } as const
export const integer = { type: 'integer' } as const
export const boolean = { type: 'boolean' } as const

/** The table of one resource. `row` gives the values by key; every row has a `name` and an `age`. */
export function tableOf<K extends string, T extends { readonly metadata: ObjectMeta } = KubeObject>(
  columns: readonly Column<K>[],
  row: (object: T, now: number) => Readonly<Record<Exclude<K, 'name' | 'age'>, Cell>>,
): TableColumns {
  return {
    columns: columns.map(({ definition }) => definition),
    cells: (object, now) => {
      const { name, creationTimestamp } = object.metadata
      // The server stores a kind's objects under its own resource only, so the object has that kind's shape.
      const own = row(object as unknown as T, now)
      const values: Readonly<Record<string, Cell>> = {
        name,
        age: ageSince(creationTimestamp, now),
        ...own,
      }
      return columns.map(({ key }) => values[key] ?? '')
    },
  }
}

/** `a=b,c=d`, sorted, or `<none>`. Source: apimachinery pkg/labels FormatLabels. */
export function formatLabels(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${String(value)}`)
  return pairs.toSorted().join(',') || '<none>'
}
