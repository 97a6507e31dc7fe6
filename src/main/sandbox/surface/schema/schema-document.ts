import { assertNever } from '../../../../shared/assert-never.ts'
import type { FieldType, Scalar, SchemaField } from './schema-notation.ts'
import { schemas, type NamedSchema } from './schemas.ts'

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

const scalarSchemas: Readonly<Record<Scalar, object>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  object: { type: 'object' },
}

function named(name: string): NamedSchema {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`no schema is called ${name}`)
  return schema
}

function typeDocument(type: FieldType): object {
  switch (type.kind) {
    case 'scalar':
      return scalarSchemas[type.scalar]
    case 'schema':
      // Wrapped, since nothing may stand beside a $ref.
      return { allOf: [{ $ref: `#/components/schemas/${named(type.name).fullName}` }] }
    case 'list':
      return { type: 'array', items: typeDocument(type.items) }
    case 'map':
      return { type: 'object', additionalProperties: typeDocument(type.values) }
    default:
      return assertNever(type, 'field type')
  }
}

function fieldDocument(field: SchemaField): object {
  return {
    ...typeDocument(field.type),
    ...(field.about === '' ? {} : { description: field.about }),
    ...(field.patchStrategy === undefined
      ? {}
      : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey === undefined
      ? {}
      : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  }
}

const typeFields = {
  apiVersion: { type: 'string', description: 'The version of the API that the object is of.' },
  kind: { type: 'string', description: 'What the object is.' },
}

/** A schema as OpenAPI has it. `kinds`: as which kinds the API takes or gives it whole; empty for parts of objects. */
function schemaDocument(schema: NamedSchema, kinds: readonly GroupVersionKind[]): object {
  const fields = [...schema.fields]
  const required = fields.filter(([, field]) => field.isRequired).map(([name]) => name)
  return {
    type: 'object',
    description: schema.about,
    properties: {
      ...(kinds.length === 0 ? {} : typeFields),
      ...Object.fromEntries(fields.map(([name, field]) => [name, fieldDocument(field)])),
    },
    ...(required.length === 0 ? {} : { required }),
    ...(kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }),
  }
}

function referenced(type: FieldType): string | undefined {
  switch (type.kind) {
    case 'scalar':
      return undefined
    case 'schema':
      return type.name
    case 'list':
      return referenced(type.items)
    case 'map':
      return referenced(type.values)
    default:
      return assertNever(type, 'field type')
  }
}

/** The schemas of some kinds and of all they are made of, by full name. Kinds without a schema are left out. */
export function schemaDocuments(kinds: readonly GroupVersionKind[]): Record<string, object> {
  const names = new Set(kinds.map(({ kind }) => kind).filter((kind) => schemas.has(kind)))
  // A set takes additions while it is walked.
  for (const name of names) {
    for (const field of named(name).fields.values()) {
      const next = referenced(field.type)
      if (next !== undefined) names.add(next)
    }
  }
  const entries = [...names].map((name): [string, object] => {
    const schema = named(name)
    const own = kinds.filter(({ kind }) => kind === name)
    return [schema.fullName, schemaDocument(schema, own)]
  })
  return Object.fromEntries(entries)
}
