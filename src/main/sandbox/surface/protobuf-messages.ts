import { maxTokens } from '../../parsing/parse-limits.ts'
import table from './protobuf-messages.json'
import { bytesOf, integerOf, ProtobufError, textOf, wireFields } from './protobuf-reader.ts'
import type { WireField } from './protobuf-reader.ts'

/**
 * The messages of the API's kinds, made by `npm run kube:schema` from the Go types: each field by its number. `name type`: the name
 * in JSON, which is empty for the fields of an embedded message, and `*` if JSON has the field even with a zero value. `[]` is a list,
 * `{}` a map.
 */
const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = table

/** How many fields may still come. */
interface Budget {
  left: number
}

type ReadValue = (field: WireField, budget: Budget) => unknown

interface FieldShape {
  readonly name: string
  readonly keepsZero: boolean
  readonly container: 'list' | 'map' | 'none'
  readonly read: ReadValue
}

type MessageShape = ReadonlyMap<number, FieldShape>

/** RFC 3339; undefined: Go writes its zero time as an empty message. `digits`: of a second. */
function timeOf(field: WireField, digits: 0 | 6): string | undefined {
  const parts = wireFields(bytesOf(field))
  const seconds = parts.find(({ number }) => number === 1)
  if (seconds === undefined) return undefined
  const nanos = parts.find(({ number }) => number === 2)
  const at = new Date(integerOf(seconds) * 1000)
  if (Number.isNaN(at.getTime())) throw new ProtobufError('a time is out of range')
  const fraction = String(nanos === undefined ? 0 : integerOf(nanos)).padStart(9, '0')
  return at.toISOString().replace('.000Z', digits === 0 ? 'Z' : `.${fraction.slice(0, digits)}Z`)
}

/** util.intstr: type 0 is a number, type 1 a text. */
function intOrStringOf(field: WireField): number | string {
  const fields = wireFields(bytesOf(field))
  const at = (number: number): WireField | undefined => fields.find((one) => one.number === number)
  const [type, number, words] = [at(1), at(2), at(3)]
  if (type !== undefined && integerOf(type) === 1) return words === undefined ? '' : textOf(words)
  return number === undefined ? 0 : integerOf(number)
}

function quantityOf(field: WireField): string {
  const text = wireFields(bytesOf(field)).find(({ number }) => number === 1)
  return text === undefined ? '' : textOf(text)
}

const readers: Readonly<Record<string, ReadValue>> = {
  string: textOf,
  int: integerOf,
  bool: (field) => integerOf(field) !== 0,
  bytes: (field) => Buffer.from(bytesOf(field)).toString('base64'),
  time: (field) => timeOf(field, 0),
  microTime: (field) => timeOf(field, 6),
  intOrString: intOrStringOf,
  quantity: quantityOf,
  unknown: () => undefined,
}

function readerOf(type: string): ReadValue {
  return readers[type] ?? ((field, budget) => decodeFields(bytesOf(field), type, budget))
}

const shapes = new Map<string, MessageShape>()

function shapeOf(message: string): MessageShape {
  const made = shapes.get(message)
  if (made !== undefined) return made
  const fields = Object.entries(messages[message] ?? {}).map(
    ([number, text]): readonly [number, FieldShape] => {
      const [, name = '', star, braces, type = ''] =
        /^(\w*)(\*?) (\[\]|\{\}|)(\w+)$/.exec(text) ?? []
      const container = braces === '[]' ? 'list' : braces === '{}' ? 'map' : 'none'
      return [Number(number), { name, keepsZero: star === '*', container, read: readerOf(type) }]
    },
  )
  const shape = new Map(fields)
  shapes.set(message, shape)
  return shape
}

function mapEntry(field: WireField, read: ReadValue, budget: Budget): readonly [string, unknown] {
  let key = ''
  let value: unknown = ''
  for (const part of wireFields(bytesOf(field))) {
    if (part.number === 1) key = textOf(part)
    if (part.number === 2) value = read(part, budget)
  }
  return [key, value]
}

function fieldValue(
  fields: readonly WireField[],
  { container, read, keepsZero }: FieldShape,
  budget: Budget,
): unknown {
  if (container === 'map')
    return Object.fromEntries(fields.map((field) => mapEntry(field, read, budget)))
  if (container === 'list') return fields.map((field) => read(field, budget))
  const last = fields.at(-1)
  const value = last === undefined ? undefined : read(last, budget)
  // Go's protobuf encoder writes zero values that its JSON encoder leaves out.
  return keepsZero || (value !== '' && value !== 0 && value !== false) ? value : undefined
}

export function isMessage(name: string): boolean {
  return Object.hasOwn(messages, name)
}

/** Decodes a message of the table as the equivalent JSON object. Other fields are ignored. Throws `ProtobufError`. */
export function decodeMessage(bytes: Uint8Array, message: string): Record<string, unknown> {
  return decodeFields(bytes, message, { left: maxTokens })
}

function decodeFields(bytes: Uint8Array, message: string, budget: Budget): Record<string, unknown> {
  const fields = wireFields(bytes)
  budget.left -= fields.length
  if (budget.left < 0) throw new ProtobufError(`it has more than ${maxTokens} fields`)
  const byNumber = new Map<number, WireField[]>()
  for (const field of fields) {
    const own = byNumber.get(field.number)
    if (own === undefined) byNumber.set(field.number, [field])
    else own.push(field)
  }
  const result: Record<string, unknown> = {}
  for (const [number, shape] of shapeOf(message)) {
    const own = byNumber.get(number)
    const value = own === undefined ? undefined : fieldValue(own, shape, budget)
    if (shape.name === '') Object.assign(result, value)
    else if (value !== undefined) result[shape.name] = value
  }
  return result
}
