import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base64Bytes, utf8Text } from './base64.ts'

it('reads what Node writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(base64Bytes(Buffer.from(bytes).toString('base64'))).toEqual(bytes)
    }),
  )
})

it('decodes UTF-8, and replaces what is not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(utf8Text(new TextEncoder().encode(text))).toBe(
        new TextDecoder().decode(Buffer.from(text)),
      )
    }),
  )
  expect(utf8Text(Uint8Array.of(0x61, 0xff, 0x62, 0xed, 0xa0, 0x80))).toMatch(/^a\ufffdb\ufffd+$/)
  expect(utf8Text(new Uint8Array(20_000).fill(0x61))).toBe('a'.repeat(20_000))
})
