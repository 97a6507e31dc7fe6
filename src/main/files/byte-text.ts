/**
 * Programs read and write text, as scripts do. A byte that is not part of UTF-8 is a lone low surrogate in it, from U+DC80 to
 * U+DCFF, so that every byte comes out as it went in (Python's surrogateescape, PEP 383).
 */
const escapeBase = 0xdc00

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

/** The character of a byte that is not part of UTF-8. */
function escapeOf(byte: number): string {
  return String.fromCharCode(escapeBase + byte)
}

/** The one character that bytes never become: the simulated shell has it for text that cannot be known. */
export const reservedCharacter = '\uE000'

const escapedReserved = Array.from(encoder.encode(reservedCharacter), escapeOf).join('')

/** The text of bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  return decoded(bytes).replaceAll(reservedCharacter, escapedReserved)
}

function decoded(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    // Not all of it is UTF-8.
  }
  let text = ''
  let start = 0
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at)
    if (length === 0) {
      text += lenient.decode(bytes.subarray(start, at)) + escapeOf(bytes[at] ?? 0)
      start = at + 1
    }
    at += length || 1
  }
  return text + lenient.decode(bytes.subarray(start))
}

/** The lowest and the highest second byte after some first ones (The Unicode Standard, table 3-7). */
const secondBytes: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
])

/** The length that a first byte announces; 0 for none. */
function announcedLength(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** The bytes of the character there; 0: it is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const length = announcedLength(bytes[at] ?? 0)
  return beginsSequence(bytes, at) && at + length <= bytes.length ? length : 0
}

/** Whether the bytes there are a character, or the beginning of one at the end. */
function beginsSequence(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at] ?? 0
  const length = announcedLength(first)
  for (let index = 1; index < length && at + index < bytes.length; index++) {
    const [lowest, highest] = (index === 1 ? secondBytes.get(first) : undefined) ?? [0x80, 0xbf]
    const byte = bytes[at + index] ?? 0
    if (byte < lowest || byte > highest) return false
  }
  return length > 0
}

const escaped = /[\uDC80-\uDCFF]/u

/** The bytes of a text. */
export function bytesOfText(text: string): Uint8Array {
  if (!escaped.test(text)) return encoder.encode(text)
  const bytes = new Uint8Array(3 * text.length)
  let length = 0
  for (let at = 0; at < text.length;) {
    const end = endOfRun(text, at)
    length += encoder.encodeInto(text.slice(at, end), bytes.subarray(length)).written
    at = end
    while (isEscape(text, at)) bytes[length++] = text.charCodeAt(at++) - escapeBase
  }
  return bytes.slice(0, length)
}

/** Where the next escaped byte is, or the end. */
function endOfRun(text: string, start: number): number {
  let at = start
  while (at < text.length && !isEscape(text, at)) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

function isEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= escapeBase + 0x80 && code <= escapeBase + 0xff
}

export function byteLengthOf(text: string): number {
  return escaped.test(text) ? bytesOfText(text).length : Buffer.byteLength(text)
}

/** Decodes bytes that come in pieces, which may end within a character. */
export class ByteDecoder {
  #rest = new Uint8Array()

  take(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const end = bytes.length - unfinishedBytes(bytes)
    this.#rest = bytes.slice(end)
    return textOfBytes(bytes.subarray(0, end))
  }

  /** What has no end. */
  takeRest(): string {
    const text = textOfBytes(this.#rest)
    this.#rest = new Uint8Array()
    return text
  }
}

/** How many bytes at the end begin a character that has not come as a whole. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const at = bytes.length - count
    if (announcedLength(bytes[at] ?? 0) > count && beginsSequence(bytes, at)) return count
  }
  return 0
}

/** For people: U+FFFD stands for each byte that is not UTF-8. */
export function legibleText(text: string): string {
  return escaped.test(text) ? new TextDecoder().decode(bytesOfText(text)) : text
}
