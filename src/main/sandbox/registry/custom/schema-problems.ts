import {
  equalJson,
  isJsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  enumProblems,
  forbiddenField,
  invalidField,
  problemIf,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { embeddedProblems } from './list-problems.ts'
import {
  coerced,
  embedsResource,
  itemsOf,
  listKeysOf,
  listTypeOf,
  otherFieldsOf,
  preservesUnknown,
  propertyOf,
  pruned,
  takesIntOrString,
} from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'
import { isKnownFormat, patternMatches } from './value-formats.ts'
import { valueProblems } from './value-problems.ts'

const mapType = 'x-kubernetes-map-type'
const listType = 'x-kubernetes-list-type'
const listKeys = 'x-kubernetes-list-map-keys'
const rules = 'x-kubernetes-validations'
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const junctors = ['allOf', 'anyOf', 'oneOf'] as const

/** Where a schema stands, which decides what it needs. */
type Level = 'root' | 'item' | 'field'

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function propertiesOf(schema: StructuralSchema): readonly (readonly [string, StructuralSchema])[] {
  return Object.entries(objectAt(schema, 'properties')).map(([name, one]) => [
    name,
    isJsonObject(one) ? one : {},
  ])
}

const intOrString = [{ type: 'integer' }, { type: 'string' }]

/** Without the alternatives that say int or string once more. */
function alternativesOf(schema: StructuralSchema): JsonObject {
  if (equalJson(schema['anyOf'], intOrString)) return { ...schema, anyOf: [] }
  const [first, ...rest] = objectsAt(schema, 'allOf')
  if (first !== undefined && equalJson(first['anyOf'], intOrString))
    return { ...schema, allOf: [{ ...first, anyOf: [] }, ...rest] }
  return schema
}

function patternProblems(schema: StructuralSchema, field: string): FieldProblems {
  const pattern = textAt(schema, 'pattern')
  const read = patternMatches(pattern, '')
  if (read.ok) return []
  const why = `must be a valid regular expression, but isn't: ${read.error}`
  return [invalidField(`${field}.pattern`, pattern, why)]
}

/** What is not structural inside allOf, anyOf, oneOf and not. */
const forbiddenNested: readonly (readonly [name: string, why: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  [preservesUnknown, 'must be false to be structural'],
  [embedsResource, 'must be false to be structural'],
  [takesIntOrString, 'must be false to be structural'],
  [listKeys, 'must be empty to be structural'],
  [listType, 'must be undefined to be structural'],
  [mapType, 'must be undefined to be structural'],
  [rules, 'must be empty to be structural'],
]

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === false || equalJson(value, [])
}

function nestedProblems(schema: StructuralSchema, field: string): FieldProblems {
  const items = itemsOf(schema)
  return [
    ...junctionProblems(schema, field),
    ...(items === undefined ? [] : nestedProblems(items, `${field}.items`)),
    ...propertiesOf(schema).flatMap(([name, one]) =>
      nestedProblems(one, `${field}.properties[${name}]`),
    ),
    ...forbiddenNested.flatMap(([name, why]) =>
      problemIf(!isEmpty(schema[name]), forbiddenField(`${field}.${name}`, why)),
    ),
    ...problemIf(
      propertyOf(schema, 'metadata') !== undefined,
      forbiddenField(`${field}.properties[metadata]`, 'must not be specified in a nested context'),
    ),
  ]
}

function junctionProblems(schema: StructuralSchema, field: string): FieldProblems {
  const { not } = schema
  return [
    ...junctors.flatMap((name) =>
      objectsAt(schema, name).flatMap((one, index) =>
        nestedProblems(one, `${field}.${name}[${index}]`),
      ),
    ),
    ...(isJsonObject(not) ? nestedProblems(not, `${field}.not`) : []),
    ...patternProblems(schema, field),
  ]
}

/** Fields inside alternatives have to be outside as well. Source: validateStructuralCompleteness. */
function incompleteProblems(
  nested: StructuralSchema,
  outer: StructuralSchema | undefined,
  field: string,
  where: string,
): FieldProblems {
  if (outer === undefined) {
    return [requiredField(field, `because it is defined in ${where}`)]
  }
  const items = itemsOf(nested)
  return [
    ...(items === undefined
      ? []
      : incompleteProblems(items, itemsOf(outer), `${field}.items`, `${where}.items`)),
    ...propertiesOf(nested).flatMap(([name, one]) => {
      const others = otherFieldsOf(outer)
      const own = propertyOf(outer, name) ?? (isJsonObject(others) ? others : undefined)
      const step = `properties[${name}]`
      return incompleteProblems(one, own, `${field}.${step}`, `${where}.${step}`)
    }),
    ...alternativesIn(nested).flatMap(([one, step]) =>
      incompleteProblems(one, outer, field, `${where}.${step}`),
    ),
  ]
}

function alternativesIn(
  schema: StructuralSchema,
): readonly (readonly [StructuralSchema, string])[] {
  const { not } = schema
  return [
    ...junctors.flatMap((name) =>
      objectsAt(schema, name).map((one, index) => [one, `${name}[${index}]`] as const),
    ),
    ...(isJsonObject(not) ? [[not, 'not'] as const] : []),
  ]
}

function metadataProblems(schema: StructuralSchema, level: Level, field: string): FieldProblems {
  if (textAt(schema, 'type') !== 'object')
    return [invalidField(`${field}.type`, textAt(schema, 'type'), 'must be object')]
  if (level !== 'root') return []
  const { type: _, default: __, description: ___, properties, ...rest } = schema
  const names = Object.keys(isJsonObject(properties) ? properties : {})
  const isRestricted = names.every((name) => name === 'name' || name === 'generateName')
  const why =
    'must not specify anything other than name and generateName, but metadata is implicitly specified'
  const hasOthers = Object.values(rest).some((value) => !isEmpty(value))
  return problemIf(!isRestricted || hasOthers, forbiddenField(field, why))
}

/** The type of a schema, and of its fields that are in every object. */
function typeProblems(schema: StructuralSchema, level: Level, field: string): FieldProblems {
  const type = textAt(schema, 'type')
  const isEmbedded = schema[embedsResource] === true
  const isFree = schema[takesIntOrString] === true || schema[preservesUnknown] === true
  const embedded = 'must be object if x-kubernetes-embedded-resource is true'
  const at = `${field}.type`
  if (isEmbedded && type !== 'object')
    return [type === '' ? requiredField(at, embedded) : invalidField(at, type, embedded)]
  return [
    ...problemIf(type === '' && !isFree, requiredField(at, emptyType[level])),
    ...problemIf(
      level === 'root' && type !== '' && type !== 'object',
      invalidField(at, type, 'must be object at the root'),
    ),
  ]
}

function invariantProblems(schema: StructuralSchema, level: Level, field: string): FieldProblems {
  const items = itemsOf(schema)
  const others = otherFieldsOf(schema)
  const isEmbedded = schema[embedsResource] === true
  const checksMeta = level === 'root' || isEmbedded
  const metadata = propertyOf(schema, 'metadata')
  const alternatives = alternativesOf(schema)
  const isIntOrString = schema[takesIntOrString] === true
  const noMore = 'must be false if x-kubernetes-int-or-string is true'
  return [
    ...problemIf(
      textAt(schema, 'type') === 'array' && items === undefined,
      requiredField(`${field}.items`, 'must be specified'),
    ),
    ...(items === undefined ? [] : invariantProblems(items, 'item', `${field}.items`)),
    ...propertiesOf(schema).flatMap(([name, one]) =>
      level === 'root' && name === 'metadata'
        ? []
        : invariantProblems(one, 'field', `${field}.properties[${name}]`),
    ),
    ...problemIf(
      others !== undefined && level === 'root',
      forbiddenField(`${field}.additionalProperties`, 'must not be used at the root'),
    ),
    ...(isJsonObject(others)
      ? invariantProblems(others, 'field', `${field}.additionalProperties`)
      : []),
    ...problemIf(
      isIntOrString && schema[preservesUnknown] === true,
      invalidField(`${field}.${preservesUnknown}`, true, noMore),
    ),
    ...problemIf(
      isIntOrString && isEmbedded,
      invalidField(`${field}.${embedsResource}`, true, noMore),
    ),
    ...junctionProblems(alternatives, field),
    ...typeProblems(schema, level, field),
    ...(checksMeta
      ? ['kind', 'apiVersion'].flatMap((name) => {
          const own = propertyOf(schema, name)
          const type = own === undefined ? 'string' : textAt(own, 'type')
          const at = `${field}.properties[${name}].type`
          return problemIf(type !== 'string', invalidField(at, type, 'must be string'))
        })
      : []),
    ...(checksMeta && metadata !== undefined
      ? metadataProblems(metadata, level, `${field}.properties[metadata]`)
      : []),
    ...problemIf(
      isEmbedded && schema[preservesUnknown] !== true && propertiesOf(schema).length === 0,
      requiredField(
        `${field}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    ),
  ]
}

function byText(a: FieldProblems[number], b: FieldProblems[number]): number {
  return `${a.field}: ${a.message}` < `${b.field}: ${b.message}` ? -1 : 1
}

/** Defaults that their own schema refuses. Source: apiserver/schema/defaulting ValidateDefaults. */
function defaultProblems(schema: StructuralSchema, field: string): FieldProblems {
  const items = itemsOf(schema)
  const value = schema['default'] ?? undefined
  const at = `${field}.default`
  const own = (): FieldProblems => {
    if (value === undefined) return []
    if (!isJsonObject(value)) return valueProblems(value, schema, { prefix: at })
    const whole = { default: value }
    const holder = { properties: { default: schema } }
    const unknown = pruned(whole, holder).unknownFields.length > 0
    const { error } = coerced(whole, holder)
    return [
      ...problemIf(unknown, invalidField(at, value, 'must not have unknown fields')),
      ...(error === undefined ? [] : [invalidField(at, value, error)]),
      ...embeddedProblems(whole, holder).map((problem) => ({
        ...problem,
        field: `${field}.${problem.field}`,
      })),
      ...valueProblems(value, schema, { prefix: at }),
    ]
  }
  return [
    ...own(),
    ...(items === undefined ? [] : defaultProblems(items, `${field}.items`)),
    ...propertiesOf(schema).flatMap(([name, one]) =>
      defaultProblems(one, `${field}.properties[${name}]`),
    ),
  ]
}

const unsupported = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
]

/** How far defaults and embedded objects are allowed at a place. */
interface Place {
  /** Why defaults are forbidden; undefined: they are allowed. */
  readonly noDefaults?: string | undefined
  readonly isInMeta: boolean
}

function standardProblems(schema: StructuralSchema, field: string, place: Place): FieldProblems {
  const type = textAt(schema, 'type')
  const hasDefault = (schema['default'] ?? undefined) !== undefined
  return [
    ...(type === '' ? [] : enumProblems(`${field}.type`, type, types)),
    ...problemIf(
      hasDefault && place.noDefaults !== undefined,
      forbiddenField(`${field}.default`, `must not be set ${place.noDefaults ?? ''}`),
    ),
    ...unsupported.flatMap((name) =>
      problemIf(
        !isEmpty(schema[name]),
        forbiddenField(`${field}.${name}`, `${name} is not supported`),
      ),
    ),
    ...problemIf(
      Array.isArray(schema['items']),
      forbiddenField(`${field}.items`, 'items must be a schema object and not an array'),
    ),
    ...problemIf(
      place.isInMeta && schema[embedsResource] === true,
      forbiddenField(`${field}.${embedsResource}`, 'must not be used inside of resource meta'),
    ),
  ]
}

function mapListProblems(schema: StructuralSchema, field: string): FieldProblems {
  const keys = listKeysOf(schema)
  const items = itemsOf(schema)
  const at = `${field}.${listKeys}`
  const itemType = items === undefined ? '' : textAt(items, 'type')
  return [
    ...problemIf(
      keys.length === 0,
      requiredField(at, 'must not be empty if x-kubernetes-list-type is map'),
    ),
    ...problemIf(
      items === undefined,
      requiredField(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map'),
    ),
    ...problemIf(
      items !== undefined && itemType !== 'object',
      invalidField(
        `${field}.items.type`,
        itemType,
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ),
    ...keys.flatMap((key, index) => {
      const own = items && propertyOf(items, key)
      const isCompound = own !== undefined && ['array', 'object'].includes(textAt(own, 'type'))
      const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      return itemType !== 'object'
        ? []
        : [
            ...problemIf(
              own === undefined,
              invalidField(at, keys, 'entries must all be names of item properties'),
            ),
            ...problemIf(
              isCompound,
              invalidField(`${field}.items.properties[${key}].type`, itemType, scalar),
            ),
            ...problemIf(
              keys.indexOf(key) < index,
              invalidField(at, keys, 'must not contain duplicate entries'),
            ),
          ]
    }),
  ]
}

function listKeyProblems(schema: StructuralSchema, field: string): FieldProblems {
  const items = itemsOf(schema)
  const type = listTypeOf(schema)
  if (items === undefined || (type !== 'set' && type !== 'map')) return []
  const required = listAt(items, 'required')
  const nullable = `cannot be nullable when x-kubernetes-list-type is ${type}`
  const keys = type === 'map' ? listKeysOf(schema) : []
  return [
    ...problemIf(items['nullable'] === true, forbiddenField(`${field}.items.nullable`, nullable)),
    ...keys.flatMap((key) => {
      const own = propertyOf(items, key)
      if (own === undefined) return []
      const at = `${field}.items.properties[${key}]`
      return [
        ...problemIf(
          !required.includes(key) && (own['default'] ?? undefined) === undefined,
          requiredField(
            `${at}.default`,
            'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
          ),
        ),
        ...problemIf(
          own['nullable'] === true,
          forbiddenField(
            `${at}.nullable`,
            'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
          ),
        ),
      ]
    }),
  ]
}

function setProblems(schema: StructuralSchema, field: string): FieldProblems {
  const items = itemsOf(schema)
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  if (items === undefined || listTypeOf(schema) !== 'set') return []
  const inner = listTypeOf(items)
  const isWrongList = textAt(items, 'type') === 'array' && inner !== '' && inner !== 'atomic'
  const isWrongMap = textAt(items, 'type') === 'object' && textAt(items, mapType) !== 'atomic'
  return [
    ...problemIf(isWrongList, invalidField(`${field}.items.${listType}`, inner, why)),
    ...problemIf(isWrongMap, invalidField(`${field}.items.${mapType}`, null, why)),
  ]
}

/** Source: apiextensions ValidateCustomResourceDefinitionOpenAPISchema, without rules in CEL. */
function extensionProblems(schema: StructuralSchema, field: string): FieldProblems {
  const type = textAt(schema, 'type')
  const [ofMap, ofList] = [textAt(schema, mapType), listTypeOf(schema)]
  const typed = (extension: string, wanted: string): FieldProblems => {
    const why = `must be ${wanted} if ${extension} is specified`
    if (schema[extension] === undefined || type === wanted) return []
    return [
      type === '' ? requiredField(`${field}.type`, why) : invalidField(`${field}.type`, type, why),
    ]
  }
  const keysNeed = 'must be map if x-kubernetes-list-map-keys is non-empty'
  const hasKeys = listKeysOf(schema).length > 0
  return [
    ...problemIf(
      schema[preservesUnknown] === false,
      invalidField(`${field}.${preservesUnknown}`, false, 'must be true or undefined'),
    ),
    ...typed(mapType, 'object'),
    ...(ofMap === '' ? [] : enumProblems(`${field}.${mapType}`, ofMap, ['atomic', 'granular'])),
    ...typed(listType, 'array'),
    ...(type === 'array' ? setProblems(schema, field) : []),
    ...(ofList === ''
      ? []
      : enumProblems(`${field}.${listType}`, ofList, ['atomic', 'set', 'map'])),
    ...problemIf(hasKeys && ofList === '', requiredField(`${field}.${listType}`, keysNeed)),
    ...problemIf(
      hasKeys && ofList !== '' && ofList !== 'map',
      invalidField(`${field}.${listType}`, ofList, keysNeed),
    ),
    ...(ofList === 'map' ? mapListProblems(schema, field) : []),
    ...listKeyProblems(schema, field),
    ...objectsAt(schema, rules).flatMap((rule, index) =>
      problemIf(
        textAt(rule, 'rule').trim() === '',
        requiredField(`${field}.${rules}[${index}].rule`, 'rule is not specified'),
      ),
    ),
  ]
}

const metaNames: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion'])

function openApiProblems(
  schema: StructuralSchema,
  field: string,
  place: Place,
  isRoot = false,
): FieldProblems {
  const others = otherFieldsOf(schema)
  const properties = propertiesOf(schema)
  const items = itemsOf(schema)
  const inMaps = place.isInMeta
    ? { ...place, noDefaults: 'inside additionalProperties applying to object metadata' }
    : place
  const noQuadratic =
    'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
  return [
    ...standardProblems(schema, field, place),
    ...problemIf(
      schema['uniqueItems'] === true,
      forbiddenField(`${field}.uniqueItems`, noQuadratic),
    ),
    ...problemIf(
      others !== undefined && others !== true && properties.length > 0,
      forbiddenField(
        `${field}.additionalProperties`,
        'additionalProperties and properties are mutual exclusive',
      ),
    ),
    ...(isJsonObject(others)
      ? openApiProblems(others, `${field}.additionalProperties`, inMaps)
      : []),
    ...properties.flatMap(([name, one]) => {
      const isMeta = metaNames.has(name) && (isRoot || schema[embedsResource] === true)
      const inner = {
        isInMeta: place.isInMeta || isMeta,
        noDefaults: isMeta && isRoot ? `in top-level ${name}` : place.noDefaults,
      }
      return openApiProblems(one, `${field}.properties[${name}]`, inner)
    }),
    ...alternativesIn(schema).flatMap(([one, step]) =>
      openApiProblems(one, `${field}.${step}`, place),
    ),
    ...(items === undefined ? [] : openApiProblems(items, `${field}.items`, place)),
    ...extensionProblems(schema, field),
  ]
}

const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations'
const rootFields: ReadonlySet<string> = new Set([
  ...allowedAtRoot
    .split(' ')
    .filter((name) => !name.startsWith('X'))
    .map((name) => name[0]?.toLowerCase() + name.slice(1)),
  preservesUnknown,
  rules,
])

/** With a status subresource, the schema of the status is used alone: the root cannot say more. */
function rootProblems(schema: StructuralSchema, field: string): FieldProblems {
  const type = textAt(schema, 'type')
  if (type !== '' && type !== 'object') {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalidField(`${field}.type`, type, why)]
  }
  const other = Object.keys(schema).find((name) => !rootFields.has(name) && !isEmpty(schema[name]))
  const why = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`
  return problemIf(other !== undefined, invalidField(field, schema, why))
}

/** What is wrong with the schema of a version, below `field`. Source: apiextensions validation.go, apiserver/schema/validation.go (v1.34). */
export function schemaProblems(
  schema: StructuralSchema,
  field: string,
  version: JsonObject,
): FieldProblems {
  const at = `${field}.openAPIV3Schema`
  const hasStatus = objectAt(version, 'subresources')['status'] !== undefined
  const structural = [
    ...invariantProblems(schema, 'root', at),
    // Upstream looks at the alternatives of the root only.
    ...alternativesIn(alternativesOf(schema)).flatMap(([one, step]) =>
      incompleteProblems(one, schema, at, `${at}.${step}`),
    ),
  ].toSorted(byText)
  return [
    ...(hasStatus ? rootProblems(schema, at) : []),
    ...problemIf(
      schema['nullable'] === true,
      forbiddenField(`${at}.nullable`, 'nullable cannot be true at the root'),
    ),
    ...structural,
    ...(structural.length > 0 ? [] : defaultProblems(schema, at)),
    ...openApiProblems(schema, at, { isInMeta: false }, true),
  ]
}

/** Formats of texts that an API server does not check. */
export function unknownFormats(schema: StructuralSchema): readonly string[] {
  const format = textAt(schema, 'format')
  const isChecked = textAt(schema, 'type') === 'string' && format !== '' && !isKnownFormat(format)
  const others = otherFieldsOf(schema)
  const items = itemsOf(schema)
  return [
    ...(isChecked ? [format] : []),
    ...[
      ...propertiesOf(schema).map(([, one]) => one),
      ...(items === undefined ? [] : [items]),
      ...(isJsonObject(others) ? [others] : []),
      ...alternativesIn(schema).map(([one]) => one),
    ].flatMap(unknownFormats),
  ]
}

/** Whether it has rules in CEL, which are not checked. */
export function hasRules(schema: StructuralSchema): boolean {
  return JSON.stringify(schema).includes(`"${rules}"`)
}
