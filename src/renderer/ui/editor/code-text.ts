import type { CodeRange } from './code-surface.ts'

export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The range in which two texts differ, without their common beginning and end. */
function changeBetween(before: string, after: string, offset: number): TextChange {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end])
    end++
  return {
    from: offset + start,
    to: offset + before.length - end,
    insert: after.slice(start, after.length - end),
  }
}

/**
 * The changes that turn one text into the other, in order and without overlaps: line by line if the number of
 * lines is the same, so folds and scroll position between the changes stay; else the one range that differs. Pure.
 */
export function textChanges(before: string, after: string): readonly TextChange[] {
  if (before === after) return []
  const was = before.split('\n')
  const is = after.split('\n')
  if (was.length !== is.length) return [changeBetween(before, after, 0)]
  const changes: TextChange[] = []
  let offset = 0
  for (const [index, line] of was.entries()) {
    const next = is[index] ?? ''
    if (next !== line) changes.push(changeBetween(line, next, offset))
    offset += line.length + 1
  }
  return changes
}

/** All matches of the words, ignoring case; none for an empty text. Pure. */
export function findMatches(text: string, words: string): readonly CodeRange[] {
  if (words === '') return []
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
  }))
}

/** The offset of a line and column, both from 1, clamped to the text. Pure. */
export function offsetAt(text: string, line: number, column: number): number {
  let start = 0
  for (let index = 1; index < line; index++) {
    const end = text.indexOf('\n', start)
    if (end === -1) break
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + Math.max(0, column - 1), end === -1 ? text.length : end)
}
