import { describe, expect, it } from 'vitest'
import type { TextChange } from './code-text.ts'
import { findMatches, offsetAt, textChanges } from './code-text.ts'

function applied(text: string, changes: readonly TextChange[]): string {
  return changes.reduceRight(
    (rest, { from, to, insert }) => rest.slice(0, from) + insert + rest.slice(to),
    text,
  )
}

describe('the changes between two texts', () => {
  it.each([
    ['a: 1\nb: 2\nc: 3', 'a: 9\nb: 2\nc: 34'],
    ['a: 1\nb: 2', 'a: 1\nx: 5\nb: 2'],
    ['aaa', 'aa'],
    ['', 'a: 1\n'],
    ['a: 1\n', ''],
  ])('turn %j into %j', (before, after) => {
    expect(applied(before, textChanges(before, after))).toBe(after)
  })

  it('do not touch the lines between them', () => {
    expect(textChanges('version: 7\nspec: {}\nage: 3', 'version: 8\nspec: {}\nage: 4')).toEqual([
      { from: 9, to: 10, insert: '8' },
      { from: 25, to: 26, insert: '4' },
    ])
  })

  it('are empty if nothing has changed', () => {
    expect(textChanges('a', 'a')).toEqual([])
  })
})

describe('a search in a text', () => {
  it('finds all matches in any case, and no character is special', () => {
    expect(findMatches('Web.web, wxweb', 'web')).toEqual([
      { from: 0, to: 3 },
      { from: 4, to: 7 },
      { from: 11, to: 14 },
    ])
    expect(findMatches('a.b axb (', '(')).toEqual([{ from: 8, to: 9 }])
    expect(findMatches('a.b axb', 'a.b')).toEqual([{ from: 0, to: 3 }])
  })

  it('finds nothing for an empty text', () => {
    expect(findMatches('abc', '')).toEqual([])
  })
})

describe('a place in a text', () => {
  it.each([
    [1, 1, 0],
    [2, 3, 5],
    [2, 99, 6],
    [9, 1, 7],
  ])('line %i, column %i is at %i', (line, column, offset) => {
    expect(offsetAt('ab\ncde\n', line, column)).toBe(offset)
  })
})
