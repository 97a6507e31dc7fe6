import table from './api-schemas.json'

/** What a scalar is in JSON and in Go. `object` and `any` are not looked into. */
export type ScalarKind =
  | 'string'
  | 'int32'
  | 'int64'
  | 'number'
  | 'bool'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'object'
  | 'any'

/** The type of a field. `isValue`: a struct and no pointer to one, which Go writes even where it is empty. */
export type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'struct'; readonly name: string; readonly isValue: boolean }
  | { readonly kind: 'list'; readonly of: FieldType }
  | { readonly kind: 'map'; readonly of: FieldType }

/** A field, with what OpenAPI documents say of it. Absent: they say nothing. */
export interface FieldSchema {
  readonly type: FieldType
  readonly isRequired: boolean
  /** Of the field, or of a list's elements. */
  readonly enum?: readonly string[]
  /** The default, unless it is the empty value of a required field. `null`: a required field has none. */
  readonly default?: string | number | boolean | null
  /** `merge`, `retainKeys`, `merge,retainKeys`, `replace`: what a strategic merge does. */
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
  /** `atomic`, `set`, `map`: what server-side apply does. */
  readonly listType?: string
  readonly listMapKeys?: readonly string[]
  /** As Go names the type where that does not follow from it: `v1.RestartPolicy`, `[]v1.Capability`. */
  readonly goType?: string
  readonly mapType?: string
  /** It has no description in OpenAPI, where its reference stands alone then. */
  readonly isBare?: boolean
}

/** A group, a version and a kind, as discovery names them; the core group is empty. */
export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** An object, or a part of one. */
export interface ApiSchema {
  /** `core.v1.Container`: package and Go type. */
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldSchema>
  readonly required: readonly string[]
  /** As which kinds the API takes or gives it whole; `every`: it belongs to each group. */
  readonly kinds: readonly GroupVersionKind[] | 'every'
  readonly mapType: string | undefined
  /** Values of every type, of which OpenAPI says nothing. */
  readonly isAny: boolean
  /** The field that says which of the others counts, and the value for which each of them does. */
  readonly union: { readonly discriminator: string; readonly fields: object } | undefined
}

/** An entry as the file has it; the letters are those of `npm run kube:schema` (test/kube/schema/schema-table.ts). */
export interface SchemaEntry {
  readonly f?: Readonly<Record<string, string>>
  readonly r?: string
  readonly g?: string
  readonly a?: string
  readonly n?: string
  readonly u?: string
}

const entries: ReadonlyMap<string, SchemaEntry> = new Map(Object.entries<SchemaEntry>(table))

const scalars: ReadonlyMap<string, ScalarKind> = new Map([
  ['s', 'string'],
  ['i', 'int32'],
  ['l', 'int64'],
  ['n', 'number'],
  ['b', 'bool'],
  ['y', 'bytes'],
  ['t', 'time'],
  ['u', 'microTime'],
  ['q', 'quantity'],
  ['x', 'intOrString'],
  ['o', 'object'],
  ['v', 'any'],
])

function fieldType(text: string): FieldType {
  const rest = text.slice(1)
  switch (text[0]) {
    case '[':
      return { kind: 'list', of: fieldType(rest) }
    case '{':
      return { kind: 'map', of: fieldType(rest) }
    case '@':
    case '&':
      return { kind: 'struct', name: rest, isValue: text[0] === '&' }
    default: {
      const kind = scalars.get(text)
      if (kind === undefined) throw new Error(`no type is written ${text}`)
      return { kind }
    }
  }
}

function defaultOf(text: string, { kind }: FieldType): string | number | boolean {
  if (kind === 'bool') return text === 'true'
  return kind === 'int32' || kind === 'int64' || kind === 'number' ? Number(text) : text
}

function optionOf(text: string, type: FieldType): Partial<FieldSchema> {
  const value = text.slice(2)
  switch (text[0]) {
    case 'k':
      return { patchMergeKey: value }
    case 'p':
      return { patchStrategy: value }
    case 'l':
      return { listType: value }
    case 'm':
      return { listMapKeys: value.split(',') }
    case 'a':
      return { mapType: value }
    case 't':
      return { goType: value }
    case 'r':
      return { isBare: true }
    case 'e':
      return { enum: value.replaceAll('_', ' ').split(',') }
    case 'd':
      return { default: text === 'd' ? null : defaultOf(value, type) }
    default:
      throw new Error(`no option is written ${text}`)
  }
}

function fieldOf(text: string, isRequired: boolean): FieldSchema {
  const [written = '', ...options] = text.split(' ')
  const type = fieldType(written)
  return Object.assign({ type, isRequired }, ...options.map((option) => optionOf(option, type)))
}

function kindsOf(text: string): readonly GroupVersionKind[] {
  return text.split(' ').map((one) => {
    const [group = '', version = '', kind = ''] = one.split('/')
    return { group, version, kind }
  })
}

function unionOf(text: string): ApiSchema['union'] {
  const [discriminator = '', ...fields] = text.split(' ')
  return { discriminator, fields: Object.fromEntries(fields.map((field) => field.split('='))) }
}

/** The schema that an entry is written for. Throws where it cannot be read. */
export function schemaOfEntry(name: string, entry: SchemaEntry): ApiSchema {
  const required = entry.r?.split(' ') ?? []
  const fields = Object.entries(entry.f ?? {}).map(([field, text]): [string, FieldSchema] => [
    field,
    fieldOf(text, required.includes(field)),
  ])
  return {
    name,
    fields: new Map(fields),
    required,
    kinds: entry.g === undefined ? [] : entry.g === '*' ? 'every' : kindsOf(entry.g),
    mapType: entry.a,
    isAny: entry.n !== undefined,
    union: entry.u === undefined ? undefined : unionOf(entry.u),
  }
}

/** Schemas as they are asked for; most of the table never is. */
const read = new Map<string, ApiSchema>()

/** The names of all schemas, in the order of the table. */
export const schemaNames: readonly string[] = [...entries.keys()]

/** The schema of a name, `core.v1.Container`. Throws where the table has none: its references are all in it. */
export function schemaNamed(name: string): ApiSchema {
  const known = read.get(name)
  if (known !== undefined) return known
  const entry = entries.get(name)
  if (entry === undefined) throw new Error(`api-schemas.json has no schema ${name}`)
  const schema = schemaOfEntry(name, entry)
  read.set(name, schema)
  return schema
}

const namesByKind: ReadonlyMap<string, string> = new Map(
  [...entries].flatMap(([name, { g = '' }]) =>
    g.split(' ').map((kind): [string, string] => [kind, name]),
  ),
)

/** The schema of a kind of the API; `undefined` where the table has none. */
export function schemaOfKind({ group, version, kind }: GroupVersionKind): ApiSchema | undefined {
  const name = namesByKind.get(`${group}/${version}/${kind}`)
  return name === undefined ? undefined : schemaNamed(name)
}

/** The name of the struct in a type, or in the elements of its lists and maps; `undefined` for scalars. */
export function structIn(type: FieldType): string | undefined {
  if (type.kind === 'struct') return type.name
  return type.kind === 'list' || type.kind === 'map' ? structIn(type.of) : undefined
}
