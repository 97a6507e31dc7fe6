import { describe, expect, it } from 'vitest'
import { seededRandom } from '../clock/seeded-random.ts'
import {
  ByteDecoder,
  byteLengthOf,
  bytesOfText,
  legibleText,
  reservedCharacter,
  textOfBytes,
} from './byte-text.ts'

function randomBytes(random: () => number): Uint8Array {
  // Many of them continue UTF-8 or begin it, so that true and false sequences are frequent.
  const bytes = [0x00, 0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc3, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xff]
  const length = Math.floor(random() * 12)
  return Uint8Array.from({ length }, () => bytes[Math.floor(random() * bytes.length)] ?? 0)
}

describe('bytes as text', () => {
  it('come out as they went in', () => {
    const random = seededRandom(1)
    const draw = (): number => random.next()
    for (let round = 0; round < 3000; round++) {
      const bytes = randomBytes(draw)
      const text = textOfBytes(bytes)
      expect([...bytesOfText(text)]).toEqual([...bytes])
      expect(byteLengthOf(text)).toBe(bytes.length)
    }
  })

  it('are the same in pieces', () => {
    const random = seededRandom(2)
    const draw = (): number => random.next()
    for (let round = 0; round < 1500; round++) {
      const pieces = [randomBytes(draw), randomBytes(draw), randomBytes(draw)]
      const decoder = new ByteDecoder()
      const text = pieces.map((piece) => decoder.take(piece)).join('') + decoder.takeRest()
      expect([...bytesOfText(text)]).toEqual(pieces.flatMap((piece) => [...piece]))
    }
  })

  it('are the characters that UTF-8 has for them', () => {
    const text = 'a\u0000é€😀\uFEFF'
    expect(textOfBytes(new TextEncoder().encode(text))).toBe(text)
    expect(textOfBytes(Uint8Array.of(0x41, 0xff, 0x42))).toBe('A\uDCFFB')
    expect(legibleText('A\uDCFFB')).toBe('A\uFFFDB')
  })

  it('wait for the rest of a character', () => {
    const [first, ...rest] = new TextEncoder().encode('€')
    const decoder = new ByteDecoder()
    expect(decoder.take(Uint8Array.of(0x41, first ?? 0))).toBe('A')
    expect(decoder.take(Uint8Array.from(rest))).toBe('€')
  })

  it('are never the placeholder for what is unknown', () => {
    const bytes = new TextEncoder().encode(reservedCharacter)
    expect(textOfBytes(bytes)).not.toContain(reservedCharacter)
    expect([...bytesOfText(textOfBytes(bytes))]).toEqual([...bytes])
  })
})
