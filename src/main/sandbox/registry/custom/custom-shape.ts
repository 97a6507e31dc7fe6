import { isJsonObject, objectAt, textAt } from '../../../../shared/json.ts'
import { atomic, structShape } from '../../apply/typed-value.ts'
import type { Shape } from '../../apply/typed-value.ts'
import {
  itemsOf,
  listKeysOf,
  listTypeOf,
  otherFieldsOf,
  preservesUnknown,
  propertyOf,
  takesIntOrString,
  textOf,
} from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** Fields that a schema says nothing of: objects field by field, lists as a whole. Source: structured-merge-diff DeducedParseableType. */
const deduced: Shape = {
  kind: 'struct',
  field: () => undefined,
  get others() {
    return deduced
  },
}

function objectShape(schema: StructuralSchema): Shape {
  if (textAt(schema, 'x-kubernetes-map-type') === 'atomic') return atomic
  const others = otherFieldsOf(schema)
  const hasProperties = Object.keys(objectAt(schema, 'properties')).length > 0
  if (isJsonObject(others) && !hasProperties) return { kind: 'map', of: shapeOf(others) }
  const fields = new Map<string, Shape | undefined>()
  return {
    kind: 'struct',
    field: (name) => {
      if (!fields.has(name)) {
        const property = propertyOf(schema, name)
        fields.set(name, property === undefined ? undefined : shapeOf(property))
      }
      return fields.get(name)
    },
    ...(schema[preservesUnknown] === true ? { others: deduced } : {}),
  }
}

function listShape(schema: StructuralSchema): Shape {
  const items = itemsOf(schema)
  switch (listTypeOf(schema)) {
    case 'set':
      return { kind: 'set' }
    case 'map':
      return {
        kind: 'list',
        keys: listKeysOf(schema),
        defaultOf: (key) => (items && propertyOf(items, key))?.['default'],
        of: items === undefined ? deduced : objectShape(items),
      }
    default:
      return atomic
  }
}

function shapeOf(schema: StructuralSchema): Shape {
  if (schema[takesIntOrString] === true) return atomic
  switch (textAt(schema, 'type')) {
    case 'object':
      return objectShape(schema)
    case 'array':
      return listShape(schema)
    default:
      return schema[preservesUnknown] === true ? deduced : atomic
  }
}

/** How server-side apply treats the objects of a custom kind. */
export function customShape(schema: StructuralSchema): Shape {
  const own = shapeOf(schema)
  const metadata = structShape('meta.v1.ObjectMeta')
  return {
    kind: 'struct',
    field: (name) => {
      if (name === 'metadata') return metadata
      if (name === 'apiVersion' || name === 'kind') return atomic
      return own.kind === 'struct' ? own.field(name) : undefined
    },
    ...(own.kind === 'struct' && own.others !== undefined ? { others: own.others } : {}),
  }
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'numeric (int or float)',
  number: 'numeric (int or float)',
}

function isScalar(value: unknown, type: string): boolean {
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  return typeof value === type
}

/** What structured-merge-diff says of values of another type than the schema's, and of fields that it does not have. */
export function typedProblems(
  value: unknown,
  schema: StructuralSchema,
  path = '',
): readonly string[] {
  if (value === null || value === undefined || schema[takesIntOrString] === true) return []
  const type = textAt(schema, 'type')
  const shown = `&value.valueUnstructured{Value:${textOf(value)}}`
  const wanted = scalars[type]
  if (wanted !== undefined)
    return isScalar(value, type) ? [] : [`${path}: expected ${wanted}, got ${shown}`]
  if (type === 'array') {
    if (!Array.isArray(value)) return [`${path}: expected list, got ${shown}`]
    const items = itemsOf(schema) ?? {}
    return value.flatMap((one, index) => typedProblems(one, items, `${path}[${index}]`))
  }
  if (type !== 'object') return []
  if (!isJsonObject(value)) return [`${path}: expected map, got ${shown}`]
  const others = otherFieldsOf(schema)
  return Object.entries(value).flatMap(([name, inner]) => {
    if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) return []
    const own = propertyOf(schema, name) ?? others
    if (isJsonObject(own)) return typedProblems(inner, own, `${path}.${name}`)
    const isKept = own === true || schema[preservesUnknown] === true
    return isKept ? [] : [`${path}.${name}: field not declared in schema`]
  })
}
