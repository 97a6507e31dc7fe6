/** The bytes are not a protobuf message, or not the expected one. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProtobufError'
  }
}

/** One field of a message on the wire. The values of fixed-width fields are not needed. */
export type WireField =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly number: number; readonly kind: 'fixed' }

const longestVarint = 10

class WireReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    let value = 0n
    for (let index = 0; index < longestVarint; index++) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new ProtobufError('the message ends inside a number')
      this.#at++
      value |= BigInt(byte & 0x7f) << BigInt(7 * index)
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new ProtobufError('a number is longer than ten bytes')
  }

  take(length: bigint): Uint8Array {
    if (length > BigInt(this.#bytes.length - this.#at)) {
      throw new ProtobufError('the message ends inside a field')
    }
    const start = this.#at
    this.#at += Number(length)
    return this.#bytes.subarray(start, this.#at)
  }

  field(): WireField {
    const tag = this.varint()
    const number = Number(tag >> 3n)
    if (number === 0) throw new ProtobufError('a field has the number 0')
    switch (tag & 7n) {
      case 0n:
        return { number, kind: 'varint', value: this.varint() }
      case 1n:
        this.take(8n)
        return { number, kind: 'fixed' }
      case 2n:
        return { number, kind: 'bytes', value: this.take(this.varint()) }
      case 5n:
        this.take(4n)
        return { number, kind: 'fixed' }
      default:
        throw new ProtobufError('a field has a wire type that Kubernetes does not use')
    }
  }
}

/** The fields of a message in wire order. Throws `ProtobufError` if the bytes are not a message. */
export function wireFields(bytes: Uint8Array): readonly WireField[] {
  const reader = new WireReader(bytes)
  const fields: WireField[] = []
  while (!reader.isAtEnd) fields.push(reader.field())
  return fields
}

type SingleShape =
  'string' | 'int' | 'bool' | 'time' | 'intOrString' | { readonly message: MessageShape }

/** The type of a field. `map` is string to string, `bytesMap` to base64, `list` is `repeated`; times become RFC 3339 strings. */
export type FieldShape = SingleShape | 'map' | 'bytesMap' | { readonly list: SingleShape }

/** The fields of a message by number: name in JSON and type. Other numbers are ignored. */
export type MessageShape = ReadonlyMap<number, readonly [name: string, shape: FieldShape]>

const utf8 = new TextDecoder('utf-8', { fatal: true })

function bytesOf(field: WireField): Uint8Array {
  if (field.kind !== 'bytes') throw new ProtobufError(`field ${field.number} is a number`)
  return field.value
}

function text(field: WireField): string {
  try {
    return utf8.decode(bytesOf(field))
  } catch (error) {
    if (error instanceof ProtobufError) throw error
    throw new ProtobufError(`field ${field.number} is not UTF-8`)
  }
}

function integer(field: WireField): number {
  if (field.kind !== 'varint') throw new ProtobufError(`field ${field.number} is not a number`)
  return Number(BigInt.asIntN(64, field.value))
}

function time(bytes: Uint8Array): string | undefined {
  const seconds = wireFields(bytes).find((field) => field.number === 1)
  // Go writes its zero time as an empty message.
  if (seconds === undefined) return undefined
  const at = new Date(integer(seconds) * 1000)
  if (Number.isNaN(at.getTime())) throw new ProtobufError('a time is out of range')
  return at.toISOString().replace('.000Z', 'Z')
}

/** util.intstr: type 0 is a number, type 1 a text. */
function intOrString(bytes: Uint8Array): number | string {
  const fields = wireFields(bytes)
  const at = (number: number): WireField | undefined => fields.find((one) => one.number === number)
  const [type, number, words] = [at(1), at(2), at(3)]
  if (type !== undefined && integer(type) === 1) return words === undefined ? '' : text(words)
  return number === undefined ? 0 : integer(number)
}

function base64(field: WireField): string {
  return Buffer.from(bytesOf(field)).toString('base64')
}

function mapEntry(
  bytes: Uint8Array,
  read: (field: WireField) => string,
): readonly [string, string] {
  let key = ''
  let value = ''
  for (const field of wireFields(bytes)) {
    if (field.number === 1) key = text(field)
    if (field.number === 2) value = read(field)
  }
  return [key, value]
}

function single(field: WireField, shape: SingleShape): unknown {
  switch (shape) {
    case 'string':
      return text(field)
    case 'int':
      return integer(field)
    case 'bool':
      return integer(field) !== 0
    case 'time':
      return time(bytesOf(field))
    case 'intOrString':
      return intOrString(bytesOf(field))
    default:
      return decodeMessage(bytesOf(field), shape.message)
  }
}

function fieldValue(fields: readonly WireField[], shape: FieldShape): unknown {
  if (shape === 'map' || shape === 'bytesMap') {
    const read = shape === 'map' ? text : base64
    return Object.fromEntries(fields.map((field) => mapEntry(bytesOf(field), read)))
  }
  if (typeof shape === 'object' && 'list' in shape) {
    return fields.map((field) => single(field, shape.list))
  }
  const last = fields.at(-1)
  if (last === undefined) return undefined
  const value = single(last, shape)
  // Go's protobuf encoder writes empty text fields; its JSON encoder omits them.
  return value === '' ? undefined : value
}

/** Decodes a message as the equivalent JSON object. Throws `ProtobufError`. */
export function decodeMessage(bytes: Uint8Array, shape: MessageShape): Record<string, unknown> {
  const fields = wireFields(bytes)
  const result: Record<string, unknown> = {}
  for (const [number, [name, fieldShape]] of shape) {
    const own = fields.filter((field) => field.number === number)
    const value = own.length === 0 ? undefined : fieldValue(own, fieldShape)
    if (value !== undefined) result[name] = value
  }
  return result
}
