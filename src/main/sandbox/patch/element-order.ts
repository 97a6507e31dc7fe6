import { isJsonObject } from '../../../shared/json.ts'

/** The identity of a list's element: the value of its merge key, or the scalar itself. */
export type ElementKey = (element: unknown) => unknown

/** The identity of the elements of a list with this merge key. */
export function elementKey(mergeKey: string | undefined): ElementKey {
  if (mergeKey === undefined) return (element) => element
  return (element) => (isJsonObject(element) ? element[mergeKey] : undefined)
}

function sortedBy(
  elements: readonly unknown[],
  order: readonly unknown[],
  key: ElementKey,
): readonly unknown[] {
  const rank = new Map(order.toReversed().map((element, index) => [key(element), -index]))
  const rankOf = (element: unknown): number => rank.get(key(element)) ?? 1
  return elements.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** The index of the first element with each key. */
function indexesOf(list: readonly unknown[], key: ElementKey): ReadonlyMap<unknown, number> {
  return new Map(
    list.map((element, index): [unknown, number] => [key(element), index]).toReversed(),
  )
}

/**
 * Sorts merged elements: those in `order` have its order, and each of the others stays before the element that follows it in
 * the live list. The order of the patch takes precedence over the live order. Source: apimachinery strategicpatch normalizeElementOrder.
 */
export function orderElements(
  merged: readonly unknown[],
  options: {
    readonly order: readonly unknown[]
    readonly live: readonly unknown[]
    readonly key: ElementKey
  },
): readonly unknown[] {
  const { order, live, key } = options
  const named = new Set(order.map(key))
  const ofPatch = sortedBy(
    merged.filter((element) => named.has(key(element))),
    order,
    key,
  )
  const ofServer = sortedBy(
    merged.filter((element) => !named.has(key(element))),
    live,
    key,
  )
  const indexes = indexesOf(live, key)
  const indexOf = (element: unknown): number => indexes.get(key(element)) ?? -1
  const result: unknown[] = []
  let next = 0
  for (const element of ofPatch) {
    const index = indexOf(element)
    for (;;) {
      const candidate = ofServer[next]
      const candidateIndex = next < ofServer.length ? indexOf(candidate) : -1
      if (index < 0 || candidateIndex < 0 || candidateIndex >= index) break
      result.push(candidate)
      next++
    }
    result.push(element)
  }
  return [...result, ...ofServer.slice(next)]
}
