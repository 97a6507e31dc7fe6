type Interval = readonly [first: number, last: number]

/**
 * Completion indexes as intervals in order, as `status.completedIndexes` has them: `1,3-5,7`. Source:
 * pkg/controller/job/indexed_job_utils.go orderedIntervals (v1.34).
 */
export class IndexIntervals {
  readonly #intervals: readonly Interval[]

  constructor(intervals: readonly Interval[] = []) {
    this.#intervals = intervals
  }

  /** Indexes from `completions` on are dropped, and so is what cannot be read. */
  static parse(text: string, completions: number): IndexIntervals {
    const read = text.split(',').flatMap((part): Interval[] => {
      const [first = '', last = first] = part.split('-')
      if (!/^\d+$/.test(first) || !/^\d+$/.test(last) || Number(first) >= completions) return []
      return [[Number(first), Math.min(Number(last), completions - 1)]]
    })
    return new IndexIntervals(merged(read))
  }

  get total(): number {
    return this.#intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }

  has(index: number): boolean {
    return this.#intervals.some(([first, last]) => first <= index && index <= last)
  }

  with(indexes: Iterable<number>): IndexIntervals {
    const added = Array.from(indexes, (index): Interval => [index, index])
    return new IndexIntervals(merged([...this.#intervals, ...added]))
  }

  merge(others: IndexIntervals): IndexIntervals {
    return new IndexIntervals(merged([...this.#intervals, ...others.#intervals]))
  }

  /** How many indexes both have. */
  overlap(others: IndexIntervals): number {
    let count = 0
    for (const [first, last] of this.#intervals) {
      for (const [otherFirst, otherLast] of others.#intervals) {
        count += Math.max(0, Math.min(last, otherLast) - Math.max(first, otherFirst) + 1)
      }
    }
    return count
  }

  /** The lowest indexes below `completions` that are not here, at most `count`. */
  missing(count: number, completions: number): readonly number[] {
    const found: number[] = []
    let candidate = 0
    for (const [first, last] of [...this.#intervals, [completions, completions] as const]) {
      for (; candidate < Math.min(first, completions) && found.length < count; candidate++)
        found.push(candidate)
      candidate = Math.max(candidate, last + 1)
    }
    return found
  }

  toString(): string {
    return this.#intervals
      .map(([first, last]) => {
        if (first === last) return String(first)
        return last === first + 1 ? `${first},${last}` : `${first}-${last}`
      })
      .join(',')
  }
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  const result: [number, number][] = []
  for (const [first, last] of intervals.toSorted(([a], [b]) => a - b)) {
    const end = result.at(-1)
    if (end === undefined || first > end[1] + 1) result.push([first, last])
    else end[1] = Math.max(end[1], last)
  }
  return result
}
