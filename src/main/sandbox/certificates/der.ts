/** Values of ASN.1 in DER, as certificates have them. */
export interface DerValue {
  /** Class, form and number in one byte; larger numbers are not used here. */
  readonly tag: number
  readonly content: Buffer
  /** With tag and length. */
  readonly whole: Buffer
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag of a context-specific value. */
export function contextTag(number: number, form: 'primitive' | 'constructed'): number {
  return 0x80 | (form === 'constructed' ? 0x20 : 0) | number
}

/** The value at the start of `bytes`; undefined: there is none. */
function readOne(bytes: Buffer): DerValue | undefined {
  const [tag, short = 0] = bytes
  if (tag === undefined || bytes.length < 2) return undefined
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f
  if (short === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return undefined
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(2, lengthBytes)
  const start = 2 + lengthBytes
  if (bytes.length < start + length) return undefined
  return {
    tag,
    content: bytes.subarray(start, start + length),
    whole: bytes.subarray(0, start + length),
  }
}

/** The values that follow each other in `bytes`; undefined: it is not DER. */
export function readDer(bytes: Buffer): readonly DerValue[] | undefined {
  const values: DerValue[] = []
  for (let left = bytes; left.length > 0;) {
    const value = readOne(left)
    if (value === undefined) return undefined
    values.push(value)
    left = left.subarray(value.whole.length)
  }
  return values
}

/** The values in a sequence or a set; none if it is something else. */
export function childrenOf(value: DerValue | undefined): readonly DerValue[] {
  return value === undefined ? [] : (readDer(value.content) ?? [])
}

/** `1.2.840.113549`. */
export function oidText({ content }: DerValue): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if ((byte & 0x80) !== 0) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - top * 40, ...rest].join('.')
}

export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const hex = content.length.toString(16)
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

export function sequence(...contents: readonly Buffer[]): Buffer {
  return der(tags.sequence, ...contents)
}

export function oid(text: string): Buffer {
  const [top = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [top * 40 + second, ...rest].flatMap((number) => {
    const base128 = [number & 0x7f]
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
      base128.unshift(0x80 | (left & 0x7f))
    return base128
  })
  return der(tags.oid, Buffer.from(bytes))
}

/** A non-negative number. */
export function integer(bytes: Buffer): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return der(tags.integer, ...(isNegative ? [Buffer.from([0])] : []), bytes)
}

export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return der(tags.bitString, Buffer.from([unusedBits]), bytes)
}

/** A time in whole seconds, from 2050 on with four digits of the year (RFC 5280). */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  const isLate = new Date(ms).getUTCFullYear() >= 2050
  const tag = isLate ? tags.generalizedTime : tags.utcTime
  return der(tag, Buffer.from(isLate ? digits : digits.slice(2)))
}

export interface PemBlock {
  readonly type: string
  readonly hasHeaders: boolean
  readonly bytes: Buffer
}

const block = /-----BEGIN ([^\n-]*)-----\r?\n([^-]*?)-----END \1-----/g

/** The PEM blocks of a text. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(block)].map(([, type = '', body = '']) => ({
    type,
    hasHeaders: body.includes(':'),
    bytes: Buffer.from(body.replaceAll(/\s/g, ''), 'base64'),
  }))
}

export function pemText(type: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n')
}
