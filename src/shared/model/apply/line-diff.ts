/** A line of a diff. `cut`: lines that stay the same are left out here. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'cut'
  readonly text: string
}

/** Lines shown around a change. */
const context = 3

/** Cells of the table below; beyond it, all of the middle counts as changed. */
const maxCells = 4_000_000

function commonStart(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count++
  return count
}

/** `lengths[i][j]`: the longest common subsequence of `before` from i and `after` from j. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): readonly Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? new Uint32Array()
    const below = lengths[i + 1] ?? row
    for (let j = after.length - 1; j >= 0; j--)
      row[j] =
        before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0)
  }
  return lengths
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const line = (kind: DiffLine['kind'], text = ''): DiffLine => ({ kind, text })
  if (before.length * after.length > maxCells)
    return [
      ...before.map((text) => line('removed', text)),
      ...after.map((text) => line('added', text)),
    ]
  const lengths = commonLengths(before, after)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length)
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(line('same', before[i]))
      i++
      j++
    } else if (
      i < before.length &&
      (j >= after.length || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
    )
      lines.push(line('removed', before[i++]))
    else lines.push(line('added', after[j++]))
  return lines
}

/** Leaves out what is further than `context` lines from a change. */
function cut(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>()
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') for (let at = index - context; at <= index + context; at++) near.add(at)
  return lines.flatMap((line, index) => {
    if (near.has(index)) return [line]
    return index === 0 || near.has(index - 1) ? [{ kind: 'cut', text: '' } as const] : []
  })
}

/** The shortest way from one text to another by lines, with three lines around each change; empty if they are the same. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  if (before === after) return []
  const linesOf = (text: string): readonly string[] =>
    text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const [one, other] = [linesOf(before), linesOf(after)]
  const start = commonStart(one, other)
  const end = commonStart(one.slice(start).toReversed(), other.slice(start).toReversed())
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return cut([
    ...one.slice(0, start).map(same),
    ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...one.slice(one.length - end).map(same),
  ])
}
