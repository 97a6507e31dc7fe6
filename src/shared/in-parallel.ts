/** Requests under way at a time, so that a drain of a full node does not flood the API server. */
const atOnce = 8

/** The results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>()
  const rest = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results.set(index, await work(item))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return items.flatMap((_item, index) => {
    const result = results.get(index)
    return result === undefined ? [] : [result]
  })
}
