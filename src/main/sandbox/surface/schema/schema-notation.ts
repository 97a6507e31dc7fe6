/**
 * The fields of the API's objects in a short notation, one text a field:
 *
 *     '[]Container! merge=name | The containers of the pod.'
 *
 * a type, `!` when the field is always there, how kubectl and server merge it (`merge=<key>` for a
 * list by key, `merge` for a list of values, `retain` for `retainKeys`, `merge=<key>,retain` for
 * both, `replace` for an object that is never merged), and a sentence. A type is a scalar, another schema's name, `[]` or `map:` before either.
 */
export interface SchemaNotation {
  /** What it is, in a sentence. */
  readonly about: string
  readonly fields: Readonly<Record<string, string>>
}

export type SchemaTable = Readonly<Record<string, SchemaNotation>>

const scalars = [
  'string',
  'int32',
  'int64',
  'bool',
  'bytes',
  'time',
  'microTime',
  'quantity',
  'intOrString',
  // An object that is not looked into.
  'object',
] as const

export type Scalar = (typeof scalars)[number]

export type FieldType =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'schema'; readonly name: string }
  | { readonly kind: 'list'; readonly items: FieldType }
  | { readonly kind: 'map'; readonly values: FieldType }

export interface SchemaField {
  readonly type: FieldType
  readonly isRequired: boolean
  readonly about: string
  /** As `x-kubernetes-patch-strategy` has it: `merge`, `retainKeys`, `merge,retainKeys`, `replace`. */
  readonly patchStrategy: string | undefined
  readonly patchMergeKey: string | undefined
}

export interface Schema {
  readonly about: string
  readonly fields: ReadonlyMap<string, SchemaField>
}

function isScalar(word: string): word is Scalar {
  return scalars.some((scalar) => scalar === word)
}

function fieldType(text: string): FieldType {
  if (text.startsWith('[]')) return { kind: 'list', items: fieldType(text.slice(2)) }
  if (text.startsWith('map:')) return { kind: 'map', values: fieldType(text.slice(4)) }
  return isScalar(text) ? { kind: 'scalar', scalar: text } : { kind: 'schema', name: text }
}

const notation =
  /^(?<type>[^ !|]+)(?<required>!?)(?: (?<patch>merge(?:=\w+)?(?:,retain)?|retain|replace))?(?: \| (?<about>.+))?$/

function strategyOf(patch: string): string | undefined {
  if (patch === '') return undefined
  if (patch === 'replace') return patch
  const isMerged = patch.startsWith('merge')
  const isRetained = patch.endsWith('retain')
  return [...(isMerged ? ['merge'] : []), ...(isRetained ? ['retainKeys'] : [])].join(',')
}

function parseField(text: string): SchemaField {
  const groups = notation.exec(text)?.groups
  if (groups === undefined) throw new Error(`not the notation of a field: ${text}`)
  const patch = groups['patch'] ?? ''
  return {
    type: fieldType(groups['type'] ?? ''),
    isRequired: groups['required'] === '!',
    about: groups['about'] ?? '',
    patchStrategy: strategyOf(patch),
    patchMergeKey: /^merge=(\w+)/.exec(patch)?.[1],
  }
}

/** Throws on a text that is not in the notation: the tables are part of the program. */
export function parseSchema(schema: SchemaNotation): Schema {
  const fields = Object.entries(schema.fields).map(
    ([name, text]) => [name, parseField(text)] as const,
  )
  return { about: schema.about, fields: new Map(fields) }
}
