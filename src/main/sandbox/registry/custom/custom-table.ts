import { objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { jsonPathValues } from '../../../../shared/kubernetes/json-path.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { ageSince, timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import { textOf } from './structural-schema.ts'
import { nameColumn } from '../../surface/tables/columns.ts'
import type { Cell, ColumnDefinition, TableColumns } from '../../surface/tables/columns.ts'

const age: JsonObject = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

/** The first value at the path, as a column of this type shows it; null: nothing. Source: tableconvertor cellForJSONValue. */
function cellOf(column: JsonObject, object: KubeObject, now: number): Cell | null {
  const [value] = jsonPathValues(textAt(column, 'jsonPath'), object) ?? []
  if (value === undefined || value === null) return null
  switch (textAt(column, 'type')) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      return timeOf(value) === null ? '<invalid>' : ageSince(value, now)
    default:
      return textOf(value)
  }
}

function definitionOf(column: JsonObject): ColumnDefinition {
  const path = textAt(column, 'jsonPath')
  return {
    name: textAt(column, 'name'),
    // The server checked the types of the columns.
    type: textAt(column, 'type') as ColumnDefinition['type'],
    format: textAt(column, 'format'),
    description:
      textAt(column, 'description') ||
      `Custom resource definition column (in JSONPath format): ${path}`,
    priority: column['priority'] === undefined ? 0 : Number(column['priority']),
  }
}

/** The table of a version of a custom kind. Source: apiextensions registry/customresource/tableconvertor (v1.34). */
export function customTable(version: JsonObject): TableColumns {
  const own = objectsAt(version, 'additionalPrinterColumns')
  const columns = own.length === 0 ? [age] : own
  return {
    columns: [nameColumn.definition, ...columns.map(definitionOf)],
    cells: (object, now) => [
      object.metadata.name,
      ...columns.map((column) => cellOf(column, object, now)),
    ],
  }
}
