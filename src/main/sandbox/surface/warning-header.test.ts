import { validateHeaderValue } from 'node:http'
import { describe, expect, it } from 'vitest'
import { warningHeader } from './warning-header.ts'

describe('the Warning header', () => {
  it('is absent without warnings', () => {
    expect(warningHeader([])).toBeUndefined()
    expect(warningHeader([''])).toBeUndefined()
  })

  it('has each text once, quoted, in order', () => {
    expect(warningHeader(['b', 'a "quoted" \\ text', 'b'])).toBe(
      '299 - "b", 299 - "a \\"quoted\\" \\\\ text"',
    )
  })

  it('drops texts with control characters', () => {
    expect(warningHeader(['one\ntwo', 'fine', '\u001B[31mred'])).toBe('299 - "fine"')
  })

  it('encodes every character as UTF-8', () => {
    const value = warningHeader(['поле 🙂']) ?? ''
    expect(() => {
      validateHeaderValue('warning', value)
    }).not.toThrow()
    expect(Buffer.from(value, 'latin1').toString('utf8')).toBe('299 - "поле 🙂"')
  })

  it('keeps 4096 characters, and cuts each warning to 256 if there are more', () => {
    const texts = Array.from({ length: 16 }, (_, index) => `${index}`.padEnd(256, 'x'))
    expect(warningHeader(texts)?.split(', ')).toEqual(texts.map((text) => `299 - "${text}"`))
    const longer = texts.map((text) => `${text}yyy`)
    expect(warningHeader([...longer, 'last'])?.split(', ')).toEqual(
      texts.map((text) => `299 - "${text}"`),
    )
  })
})
