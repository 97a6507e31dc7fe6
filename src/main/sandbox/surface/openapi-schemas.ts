import { defined } from '../../../shared/json.ts'
import { schemaNamed, structIn } from '../../../shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
  ScalarKind,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import { fullName, referenceTo } from '../../../shared/kubernetes/schema/schema-names.ts'

/** Go types with schemas of their own. */
const namedScalars: Partial<Record<ScalarKind, readonly [name: string, schema: object]>> = {
  time: ['meta.v1.Time', { type: 'string', format: 'date-time' }],
  microTime: ['meta.v1.MicroTime', { type: 'string', format: 'date-time' }],
  quantity: ['mach.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  intOrString: [
    'mach.util.intstr.IntOrString',
    { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
}

const plainScalars: Partial<Record<ScalarKind, object>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  bool: { type: 'boolean' },
  bytes: { type: 'string', format: 'byte' },
  object: { type: 'object' },
}

const zeroValues: Partial<Record<ScalarKind, unknown>> = {
  string: '',
  int32: 0,
  int64: 0,
  number: 0,
  bool: false,
}

function scalarIn(type: FieldType): ScalarKind | undefined {
  if (type.kind === 'list' || type.kind === 'map') return scalarIn(type.of)
  return type.kind === 'struct' ? undefined : type.kind
}

/** The schema of a list's elements, with their default. */
function itemsOf(type: FieldType): object {
  const schema = typeOf(type)
  if (type.kind === 'struct')
    return type.isValue ? { ...schema, default: {} } : referenceTo(type.name)
  if (type.kind === 'list' || type.kind === 'map') return schema
  const zero = zeroValues[type.kind]
  return zero === undefined ? schema : { ...schema, default: zero }
}

/** The schema of an element. It can be a plain reference; the reference of a field is in an allOf with its other keywords. */
function alone(type: FieldType): object {
  const named = type.kind in namedScalars ? namedScalars[scalarIn(type) ?? 'any'] : undefined
  return named === undefined ? itemsOf(type) : referenceTo(named[0])
}

function typeOf(type: FieldType): object {
  switch (type.kind) {
    case 'struct':
      return { allOf: [referenceTo(type.name)] }
    case 'list':
      return { type: 'array', items: alone(type.of) }
    case 'map':
      return { type: 'object', additionalProperties: alone(type.of) }
    default: {
      const named = namedScalars[type.kind]
      return named === undefined
        ? (plainScalars[type.kind] ?? {})
        : { allOf: [referenceTo(named[0])] }
    }
  }
}

function defaultOf(field: FieldSchema): unknown {
  const { type } = field
  if (field.default !== undefined) return field.default ?? undefined
  if (type.kind === 'struct') return type.isValue ? {} : undefined
  if (!field.isRequired || type.kind === 'list' || type.kind === 'map') return undefined
  return zeroValues[type.kind]
}

function withEnum(schema: object, field: FieldSchema): object {
  if (field.enum === undefined) return schema
  const { type } = field
  if (type.kind !== 'list' && type.kind !== 'map') return { ...schema, enum: field.enum }
  const inside = type.kind === 'list' ? 'items' : 'additionalProperties'
  return { ...schema, [inside]: { ...itemsOf(type.of), enum: field.enum } }
}

function fieldDocument(field: FieldSchema): object {
  if (field.isBare === true && field.type.kind === 'struct') return referenceTo(field.type.name)
  return {
    ...withEnum(typeOf(field.type), field),
    ...defined({
      default: defaultOf(field),
      'x-kubernetes-patch-strategy': field.patchStrategy,
      'x-kubernetes-patch-merge-key': field.patchMergeKey,
      'x-kubernetes-list-type': field.listType,
      'x-kubernetes-list-map-keys': field.listMapKeys,
      'x-kubernetes-map-type': field.mapType,
    }),
  }
}

/** A schema in the form of an OpenAPI v3 document, without descriptions. */
export function openApiSchema(schema: ApiSchema): object {
  const { fields, required, kinds, mapType, union, isAny } = schema
  if (isAny) return {}
  const properties = [...fields].map(([name, field]) => [name, fieldDocument(field)])
  return {
    type: 'object',
    ...defined({
      properties: fields.size === 0 ? undefined : Object.fromEntries(properties),
      required: required.length === 0 ? undefined : required,
      'x-kubernetes-group-version-kind':
        kinds === 'every' || kinds.length === 0 ? undefined : kinds,
      'x-kubernetes-map-type': mapType,
      'x-kubernetes-unions':
        union === undefined
          ? undefined
          : [{ discriminator: union.discriminator, 'fields-to-discriminateBy': union.fields }],
    }),
  }
}

/** These schemas and all schemas that they refer to, by their names in an OpenAPI document. */
export function openApiSchemas(roots: readonly ApiSchema[]): Readonly<Record<string, object>> {
  const documents: Record<string, object> = {}
  const names = new Set(roots.map(({ name }) => name))
  // The loop also visits names that are added during it.
  for (const name of names) {
    const schema = schemaNamed(name)
    documents[fullName(name)] = openApiSchema(schema)
    for (const { type } of schema.fields.values()) {
      const struct = structIn(type)
      if (struct !== undefined) names.add(struct)
      const named = namedScalars[scalarIn(type) ?? 'any']
      if (named !== undefined) documents[fullName(named[0])] = named[1]
    }
  }
  return documents
}
