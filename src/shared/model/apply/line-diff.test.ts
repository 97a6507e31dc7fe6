import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from './line-diff.ts'

function written(before: string, after: string): string {
  const signs = { same: ' ', removed: '-', added: '+', cut: '…' } as const
  return lineDiff(before, after)
    .map(({ kind, text }) => `${signs[kind]}${text}`)
    .join('\n')
}

describe('the diff of two texts', () => {
  it('has three lines around a change and says where it leaves lines out', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].join('\n')
    expect(written(before, before.replace('f', 'F'))).toBe('…\n c\n d\n e\n-f\n+F\n g\n h\n i\n…')
  })

  it('adds all lines of a new text, and has none for the same text', () => {
    expect(written('', 'a\nb\n')).toBe('+a\n+b')
    expect(written('a\n', 'a\n')).toBe('')
  })

  it('keeps a line that only moved in its shortest form', () => {
    expect(written('a\nb\nc', 'b\nc\na')).toBe('-a\n b\n c\n+a')
  })

  it('leads from any text to any other', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const lines = lineDiff(one.join('\n'), other.join('\n'))
        if (lines.length === 0 || lines.some(({ kind }) => kind === 'cut')) return
        const of = (kind: string): readonly string[] =>
          lines.filter((line) => line.kind === 'same' || line.kind === kind).map(({ text }) => text)
        const linesOf = (text: string): readonly string[] =>
          text === '' ? [] : text.replace(/\n$/, '').split('\n')
        expect(of('removed')).toEqual(linesOf(one.join('\n')))
        expect(of('added')).toEqual(linesOf(other.join('\n')))
      }),
    )
  })
})
