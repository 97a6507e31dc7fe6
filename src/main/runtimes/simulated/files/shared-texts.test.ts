import { describe, expect, it } from 'vitest'
import { SharedTexts } from './shared-texts.ts'

describe('shared texts', () => {
  it('are equal to what they stand for, whatever their characters', () => {
    const texts = new SharedTexts()
    for (const text of ['', 'token', 'kube-api-access-x7b2k', 'größe', '漢字', '\uD800', 'a\0b'])
      expect([texts.share(text), texts.share(`${text}`)]).toEqual([text, text])
  })

  it('remain right after more texts than are remembered', () => {
    const texts = new SharedTexts()
    const all = Array.from({ length: 3000 }, (_, index) => `name-${index % 1700}`)
    expect(all.map((text) => texts.share(text))).toEqual(all)
  })
})
