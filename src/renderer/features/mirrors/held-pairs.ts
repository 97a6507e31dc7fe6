import type { Pair } from '../../store/rows/mirrors-order.ts'

/**
 * Rows keep their places while a pointer or the focus is among them: what is new comes last, and what
 * has left stays, dimmed, until they are let go. Pure.
 */
export function holdPairs(shown: readonly Pair[], wanted: readonly Pair[]): readonly Pair[] {
  const now = new Map(wanted.map((pair) => [pair.id, pair]))
  const known = new Set(shown.map(({ id }) => id))
  return [
    ...shown.map((pair) => now.get(pair.id) ?? pair),
    ...wanted.filter(({ id }) => !known.has(id)),
  ]
}

/** Whether both show the same, so that nothing is drawn anew. Pure. */
export function isSamePairs(left: readonly Pair[], right: readonly Pair[]): boolean {
  return left.length === right.length && left.every((pair, index) => pair === right[index])
}
