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

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function bytesOf(field: WireField): Uint8Array {
  if (field.kind !== 'bytes') throw new ProtobufError(`field ${field.number} is a number`)
  return field.value
}

export function textOf(field: WireField): string {
  try {
    return utf8.decode(bytesOf(field))
  } catch (error) {
    if (error instanceof ProtobufError) throw error
    throw new ProtobufError(`field ${field.number} is not UTF-8`)
  }
}

export function integerOf(field: WireField): number {
  if (field.kind !== 'varint') throw new ProtobufError(`field ${field.number} is not a number`)
  return Number(BigInt.asIntN(64, field.value))
}
