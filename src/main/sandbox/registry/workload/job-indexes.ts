import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'

type Interval = readonly [first: number, last: number]

/** Intervals of indexes, and how many indexes they have. */
interface Indexes {
  readonly intervals: readonly Interval[]
  readonly total: number
}

function parsedIndex(text: string, completions: number): Result<number, string> {
  if (!/^[+-]?\d+$/.test(text))
    return err(`cannot convert string to integer for index: ${JSON.stringify(text)}`)
  const index = Number(text)
  return index >= completions ? err(`too large index: ${JSON.stringify(text)}`) : ok(index)
}

function disorder(before: number, after: number): string {
  return `non-increasing order, previous: ${before}, current: ${after}`
}

function parsedInterval(text: string, completions: number): Result<Interval, string> {
  const [first = '', last, ...more] = text.split('-')
  if (more.length > 0) {
    return err(
      `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    )
  }
  const from = parsedIndex(first, completions)
  if (!from.ok) return from
  if (last === undefined) return ok([from.value, from.value])
  const to = parsedIndex(last, completions)
  if (!to.ok) return to
  return from.value >= to.value ? err(disorder(from.value, to.value)) : ok([from.value, to.value])
}

/** Parses `1,3-5,7`. The error is the server's message. Source: pkg/apis/batch/validation validateIndexesFormat (v1.34). */
export function parseIndexes(text: string, completions: number): Result<Indexes, string> {
  const intervals: Interval[] = []
  let total = 0
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parsedInterval(part, completions)
    if (!interval.ok) return interval
    const [first, last] = interval.value
    const before = intervals.at(-1)
    if (before !== undefined && before[1] >= first) return err(disorder(before[1], first))
    intervals.push(interval.value)
    total += last - first + 1
  }
  return ok({ intervals, total })
}

/** The first index that both have. */
export function overlapOf(one: Indexes, other: Indexes): number | undefined {
  for (const [first, last] of one.intervals) {
    const found = other.intervals.find(([from, to]) => first <= to && from <= last)
    if (found !== undefined) return Math.max(first, found[0])
  }
  return undefined
}
