import { isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import type { GroupVersionKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'
import type { ApplyProblem } from '../../../shared/model/apply/apply-yaml.ts'
import { locate } from '../../parsing/kubernetes-text.ts'
import type { ParsedText, ParseText, TextPosition } from '../../parsing/kubernetes-text.ts'

/** A field of an object, as an API server names it: `spec.containers[0].image`. */
export type ProblemAt = (field: string, message: string, isConflict?: boolean) => ApplyProblem

/** One object of a text, with the way from its fields to its lines. */
export interface TextObject {
  readonly value: JsonObject
  readonly type: GroupVersionKind
  readonly line: number
  readonly problemAt: ProblemAt
}

export interface ReadText {
  readonly objects: readonly TextObject[]
  readonly problems: readonly ApplyProblem[]
}

/** A document of a text; its lines are those of the text from `before` on. */
interface TextDocument {
  readonly text: string
  readonly before: number
}

const separator = /^---(?=\s|$)/

/** Documents that have more than comments. Lines and columns stay: a separator becomes spaces. */
function documentsOf(text: string): readonly TextDocument[] {
  const documents: { lines: string[]; before: number }[] = [{ lines: [], before: 0 }]
  for (const [index, line] of text.split('\n').entries())
    if (separator.test(line))
      documents.push({ lines: [line.replace(separator, '   ')], before: index })
    else documents.at(-1)?.lines.push(line)
  return documents
    .filter(({ lines }) => lines.some((line) => !/^\s*(#|$)/.test(line)))
    .map(({ lines, before }) => ({ text: lines.join('\n'), before }))
}

function moved({ line, column }: TextPosition, before: number): TextPosition {
  return { line: line === null ? null : line + before, column }
}

/** The value and the objects of a `List` in it, each with where it stands. */
function objectsIn({ value, place }: ParsedText): readonly Omit<ParsedText, 'warnings'>[] {
  if (!isJsonObject(value) || !textAt(value, 'kind').endsWith('List')) return [{ value, place }]
  if (!Array.isArray(value['items'])) return [{ value, place }]
  const places = place.fields?.get('items')?.items ?? []
  return listAt(value, 'items').map((item, index) => ({
    value: item,
    place: places[index] ?? place,
  }))
}

function typeOf(value: JsonObject): GroupVersionKind {
  const [version = '', group = ''] = textAt(value, 'apiVersion').split('/').toReversed()
  return { group, version, kind: textAt(value, 'kind') }
}

/** Why kubectl apply would not send it. */
function missingPart(value: JsonObject): readonly [field: string, message: string] | undefined {
  const metadata = objectAt(value, 'metadata')
  if (textAt(value, 'apiVersion') === '') return ['apiVersion', 'apiVersion is not set.']
  if (textAt(value, 'kind') === '') return ['kind', 'kind is not set.']
  if (textAt(metadata, 'name') !== '') return undefined
  return textAt(metadata, 'generateName') === ''
    ? ['metadata.name', 'metadata.name is not set.']
    : [
        'metadata.generateName',
        'An object with generateName has no name to apply it to: set metadata.name, or create it with kubectl.',
      ]
}

function schemaProblems({ value, type, problemAt }: TextObject): readonly ApplyProblem[] {
  const schema = schemaOfKind(type)
  // A custom resource, or a kind of another version: the server knows.
  if (schema === undefined) return []
  const { problems, unknownFields } = decodeAs(schema, value)
  return [
    ...unknownFields.map((field) => problemAt(field, `unknown field "${field}"`)),
    ...problems.map(({ field, message }) => problemAt(field, message)),
  ]
}

function readObject(
  { value, place }: Omit<ParsedText, 'warnings'>,
  before: number,
): { readonly object: TextObject | undefined; readonly problems: readonly ApplyProblem[] } {
  const whole = moved({ line: place.line, column: null }, before)
  const problemAt: ProblemAt = (field, message, isConflict = false) => {
    const found = moved(locate(place, field), before)
    return { ...(found.line === null ? whole : found), message, isConflict }
  }
  if (!isJsonObject(value))
    return {
      object: undefined,
      problems: [problemAt('', 'This document is not an object of the API.')],
    }
  const missing = missingPart(value)
  if (missing !== undefined) return { object: undefined, problems: [problemAt(...missing)] }
  const object = { value, type: typeOf(value), line: whole.line ?? before + 1, problemAt }
  return { object, problems: schemaProblems(object) }
}

async function readDocument({ text, before }: TextDocument, parse: ParseText): Promise<ReadText> {
  const parsed = await parse(text)
  if (!parsed.ok) {
    const { message, ...position } = parsed.error
    return {
      objects: [],
      problems: [{ ...moved(position, before), message, isConflict: false }],
    }
  }
  const repeated = parsed.value.warnings.map(({ message, ...position }): ApplyProblem => ({
    ...moved(position, before),
    message,
    isConflict: false,
  }))
  const read = objectsIn(parsed.value).map((one) => readObject(one, before))
  return {
    objects: read.flatMap(({ object }) => object ?? []),
    problems: [...repeated, ...read.flatMap(({ problems }) => problems)],
  }
}

/** The objects of a text of one or several documents, and what is wrong with them before any server is asked. */
export async function readApplyText(text: string, parse: ParseText): Promise<ReadText> {
  // A document with an error does not hide those of the others.
  const read = await Promise.all(documentsOf(text).map((document) => readDocument(document, parse)))
  return {
    objects: read.flatMap(({ objects }) => objects),
    problems: read.flatMap(({ problems }) => problems),
  }
}
