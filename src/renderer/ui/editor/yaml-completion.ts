import {
  schemaNamed,
  schemaNames,
  schemaOfKind,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
  GroupVersionKind,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import { yamlCursor } from './yaml-cursor.ts'
import type { YamlCursor, YamlStep } from './yaml-cursor.ts'

/** `insert`: what replaces the word, with the beginning of the value of a key. */
export interface YamlOption {
  readonly label: string
  readonly insert: string
  /** The type of a field, or why the value is offered. */
  readonly detail: string
  readonly isRequired: boolean
}

export interface YamlOptions {
  /** In UTF-16 units from the beginning of the text. */
  readonly from: number
  readonly options: readonly YamlOption[]
}

/** Kinds that are asked for and not stored. */
const unstored = /(Review|^Binding|^Eviction|^TokenRequest|^Scale|^ComponentStatus)$/

function versionOf({ group, version }: GroupVersionKind): string {
  return group === '' ? version : `${group}/${version}`
}

function isStored({ kinds, fields }: ApiSchema): boolean {
  const metadata = fields.get('metadata')?.type
  const isObject = metadata?.kind === 'struct' && metadata.name === 'meta.v1.ObjectMeta'
  return kinds !== 'every' && isObject
}

/** The kinds that can be written, by name. */
function writtenKinds(): readonly GroupVersionKind[] {
  return schemaNames
    .map(schemaNamed)
    .filter(isStored)
    .flatMap(({ kinds }) => (kinds === 'every' ? [] : kinds))
    .filter(({ kind }) => !unstored.test(kind))
    .toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
}

function value(label: string, detail = ''): YamlOption {
  return { label, insert: label, detail, isRequired: false }
}

function typeText(type: FieldType): string {
  switch (type.kind) {
    case 'struct':
      return type.name.slice(type.name.lastIndexOf('.') + 1)
    case 'list':
      return `[]${typeText(type.of)}`
    case 'map':
      return `map of ${typeText(type.of)}`
    default:
      return type.kind
  }
}

/** The beginning of a value: structs and maps go on in the next line, lists with their first element. */
function beginning({ kind }: FieldType, column: number): string {
  if (kind === 'struct' || kind === 'map') return `:\n${' '.repeat(column + 2)}`
  return kind === 'list' ? `:\n${' '.repeat(column)}- ` : ': '
}

function keyOptions(
  { fields }: ApiSchema,
  { siblings, column, path }: YamlCursor,
): readonly YamlOption[] {
  return [...fields]
    .filter(([name]) => !siblings.has(name) && !(path.length === 0 && name === 'status'))
    .map(([name, { type, isRequired }]) => ({
      label: name,
      insert: `${name}${beginning(type, column)}`,
      detail: typeText(type),
      isRequired,
    }))
}

/** The field of a path, with the type at its end; `undefined`: the schema does not have it. */
function fieldAt(
  schema: ApiSchema,
  path: readonly YamlStep[],
): { readonly field: FieldSchema | undefined; readonly type: FieldType } | undefined {
  let type: FieldType = { kind: 'struct', name: schema.name, isValue: false }
  let field: FieldSchema | undefined
  for (const step of path) {
    if (step === 'element') {
      if (type.kind !== 'list') return undefined
      type = type.of
    } else if (type.kind === 'map') type = type.of
    else if (type.kind === 'struct') {
      field = schemaNamed(type.name).fields.get(step.key)
      if (field === undefined) return undefined
      type = field.type
    } else return undefined
  }
  return { field, type }
}

function valueOptions({
  field,
  type,
}: NonNullable<ReturnType<typeof fieldAt>>): readonly YamlOption[] {
  if (type.kind === 'bool') return [value('true'), value('false')]
  const standard = field?.default
  return (field?.enum ?? []).map((one) => value(one, one === standard ? 'default' : ''))
}

/** `apiVersion`, `kind` and their values, each fitting the other one. */
function headOptions({
  isValue,
  path,
  siblings,
  apiVersion,
  kind,
}: YamlCursor): readonly YamlOption[] | undefined {
  const [step] = path
  if (path.length !== 1 || step === undefined || step === 'element') {
    const isStart = path.length === 0 && !isValue
    if (!isStart) return undefined
    return ['apiVersion', 'kind', 'metadata', 'spec']
      .filter((name) => !siblings.has(name))
      .map((name) => ({
        label: name,
        insert: name === 'metadata' || name === 'spec' ? `${name}:\n  ` : `${name}: `,
        detail: '',
        isRequired: name !== 'spec',
      }))
  }
  if (!isValue) return undefined
  const kinds = writtenKinds()
  if (step.key === 'kind') {
    const fitting = kinds.filter((one) => apiVersion === '' || versionOf(one) === apiVersion)
    return fitting.map((one) => value(one.kind, versionOf(one)))
  }
  if (step.key !== 'apiVersion') return undefined
  const fitting = kinds.filter((one) => kind === '' || one.kind === kind)
  return [...new Set(fitting.map(versionOf))].toSorted().map((one) => value(one))
}

/** Kinds, fields and enums of the program's table of the API that fit at an offset of a text; `undefined`: none. */
export function yamlOptions(text: string, offset: number): YamlOptions | undefined {
  const cursor = yamlCursor(text, offset)
  if (cursor === undefined) return undefined
  const { from, isValue, path, apiVersion, kind } = cursor
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const schema = schemaOfKind({ group, version, kind })
  const isHead = path.length === 1 && isValue
  const head = isHead || schema === undefined ? headOptions(cursor) : undefined
  const found = schema === undefined ? undefined : fieldAt(schema, path)
  const options =
    head ??
    (found === undefined
      ? []
      : found.type.kind === 'struct' && !isValue
        ? keyOptions(schemaNamed(found.type.name), cursor)
        : valueOptions(found))
  return options.length === 0 ? undefined : { from, options }
}
