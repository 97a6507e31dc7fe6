import { isJsonObject } from '../../../shared/json.ts'

/** What identifies a list's element: the value of its merge key, or a scalar itself. */
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

/** Where the first element with each key is. */
function placesOf(list: readonly unknown[], key: ElementKey): ReadonlyMap<unknown, number> {
  return new Map(
    list.map((element, index): [unknown, number] => [key(element), index]).toReversed(),
  )
}

/**
 * Puts merged elements in order: those named by `order` in its order, the server's own ones woven in
 * before the first that followed them in the live list. The order of the patch weighs more than the
 * live one. Source: apimachinery strategicpatch normalizeElementOrder.
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
  const places = placesOf(live, key)
  const placeOf = (element: unknown): number => places.get(key(element)) ?? -1
  const result: unknown[] = []
  let next = 0
  for (const element of ofPatch) {
    const place = placeOf(element)
    for (;;) {
      const candidate = ofServer[next]
      const candidatePlace = next < ofServer.length ? placeOf(candidate) : -1
      if (place < 0 || candidatePlace < 0 || candidatePlace >= place) break
      result.push(candidate)
      next++
    }
    result.push(element)
  }
  return [...result, ...ofServer.slice(next)]
}
