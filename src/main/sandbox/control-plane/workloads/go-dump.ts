import { isJsonObject, ownField } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { formatQuantity, parseQuantity } from '../../../../shared/kubernetes/quantity.ts'
import types from './pod-template-go-types.json'

/** `GoField jsonField GoType` of each field in its order; without a jsonField its fields are those of the object around it. */
const structs: Readonly<Record<string, readonly string[]>> = types.structs
/** The basic type of each named one. */
const named: Readonly<Record<string, string>> = types.named

const zeroTime = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}'
const amountOf = (value: bigint, scale: number): string =>
  `(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`
const noDecimal = '(resource.infDecAmount){Dec:(*inf.Dec)<nil>}'

const byteOrder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b))

const formats = { binary: 'BinarySI', decimal: 'DecimalSI', exponent: 'DecimalExponent' } as const

const powers: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}

/**
 * A quantity after ParseQuantity of its canonical text: `s` keeps the text of some. Amounts beyond an int64 are printed as
 * others; a real dump has big.Int's words there.
 */
function quantityText(value: unknown): string {
  const quantity = parseQuantity(value)
  const text = quantity === undefined ? '' : formatQuantity(quantity)
  if (quantity === undefined) return `{i:${amountOf(0n, 0)} d:${noDecimal} s: Format:}`
  const [, digits = '0', suffix = ''] = /^([+-]?\d+)(.*)$/.exec(text) ?? []
  const shown = (amount: string, kept: boolean): string =>
    `{i:${amount} d:${noDecimal} s:(string)${kept ? text : ''} Format:(resource.Format)${formats[quantity.format]}}`
  if (text === '0') return shown(amountOf(0n, 0), true)
  if (quantity.format === 'binary') {
    const isKept = (BigInt(digits) & 7n) !== 0n
    return shown(amountOf(quantity.nanos / 1_000_000_000n, 0), isKept)
  }
  const scale = powers[suffix] ?? Number(suffix.slice(1))
  const isKept = scale % 3 === 0 && !digits.endsWith('000')
  return shown(amountOf(BigInt(digits), scale), isKept)
}

function intOrStringText(value: unknown): string {
  const [type, int, text] =
    typeof value === 'string' ? [1, 0, value] : [0, typeof value === 'number' ? value : 0, '']
  return `{Type:(intstr.Type)${type} IntVal:(int32)${int} StrVal:(string)${text}}`
}

function scalarText(kind: string, value: unknown): string {
  if (kind === 'string') return typeof value === 'string' ? value : ''
  if (kind === 'bool') return String(value === true)
  return String(typeof value === 'number' ? value : 0)
}

function listText(type: string, value: unknown): string {
  // An empty list is nil after protobuf.
  if (!Array.isArray(value) || value.length === 0) return '<nil>'
  return `[${value.map((item: unknown) => valueText(type, item)).join(' ')}]`
}

function mapText(type: string, value: unknown): string {
  const entries = isJsonObject(value) ? Object.entries(value).toSorted(byteOrder) : []
  if (entries.length === 0) return '<nil>'
  return `map[${entries.map(([key, item]) => `${key}:${valueText(type, item)}`).join(' ')}]`
}

function structText(fields: readonly string[], value: unknown): string {
  const object: JsonObject = isJsonObject(value) ? value : {}
  const parts = fields.map((field) => {
    const [goName = '', jsonName = '', type = ''] = field.split(' ', 3)
    const inner = jsonName === '' ? object : ownField(object, jsonName)
    return `${goName}:${typedText(type, inner)}`
  })
  return `{${parts.join(' ')}}`
}

/** The value without its type. */
function valueText(type: string, value: unknown): string {
  const basic = ownField(named, type) ?? type
  if (basic.startsWith('[]')) return listText(basic.slice(2), value)
  if (basic.startsWith('map[')) return mapText(basic.slice(basic.indexOf(']') + 1), value)
  if (type === 'v1.Time') return zeroTime
  if (type === 'resource.Quantity') return quantityText(value)
  if (type === 'intstr.IntOrString') return intOrStringText(value)
  const fields = ownField(structs, type)
  return fields === undefined ? scalarText(basic, value) : structText(fields, value)
}

function typedText(type: string, value: unknown): string {
  if (!type.startsWith('*')) return `(${type})${valueText(type, value)}`
  if (value === undefined || value === null) return `(${type})<nil>`
  return `(${type})${valueText(type.slice(1), value)}`
}

/**
 * A pod template as Go dumps it for a hash (apimachinery util/dump ForHash, which prints with go-spew): all fields, absent ones
 * too, with their types. test/kube compares the hashes with those of the real controllers.
 */
export function dumpPodTemplate(template: JsonObject): string {
  return typedText('v1.PodTemplateSpec', template)
}
