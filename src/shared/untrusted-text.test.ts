import { describe, expect, it } from 'vitest'
import { cutText, cutTexts, printable } from './untrusted-text.ts'

describe('cutText', () => {
  it('keeps 2,000 characters, and says how many it left out', () => {
    expect(cutText('x'.repeat(2_000))).toBe('x'.repeat(2_000))
    const cut = `${'x'.repeat(2_000)}… (4998000 more characters)`
    expect(cutText('x'.repeat(5_000_000))).toBe(cut)
    expect(cutText(cut)).toBe(cut)
  })

  it('cuts no character in two', () => {
    expect(cutText(`${'x'.repeat(1_999)}😀y`)).toBe(`${'x'.repeat(1_999)}… (3 more characters)`)
  })
})

describe('cutTexts', () => {
  it('cuts the texts of an object, and gives the same object back where there is nothing to cut', () => {
    const short = { a: 'x', b: 1 }
    expect(cutTexts(short)).toBe(short)
    expect(cutTexts({ a: 'x'.repeat(2_001), b: 1 })).toEqual({
      a: `${'x'.repeat(2_000)}… (1 more characters)`,
      b: 1,
    })
  })
})

describe('printable', () => {
  it.each([
    ['\u001b[2K\u001b[1Aserver https://good', '�[2K�[1Aserver https://good'],
    ['v1.34.4\nuser admin\r\n', 'v1.34.4�user admin��'],
    ['\u009b31mred\u007f\u0000', '�31mred��'],
    ['abc\u202ecba\u2066x\u2028y', 'abc�cba�x�y'],
    ['a\u200bb', 'a�b'],
    ['kube–system “ü” 日本', 'kube–system “ü” 日本'],
  ])('lets no text of a server write more than its part of a line: %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })
})
