import type { Bucket } from '../../../shared/model/inspect/kubelet-facts.ts'

/** From Prometheus' cumulative counts by bound. */
export function bucketsOf(cumulative: ReadonlyMap<number, number>): readonly Bucket[] {
  let below = 0
  return [...cumulative]
    .toSorted(([a], [b]) => a - b)
    .map(([bound, total]) => {
      const count = total - below
      below = total
      return { upTo: Number.isFinite(bound) ? bound : null, count }
    })
}

export function totalOf(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { count }) => sum + count, 0)
}

/** What was counted after `before`; all of it where the kubelet restarted in between and counts from zero. */
export function bucketsSince(now: readonly Bucket[], before: readonly Bucket[]): readonly Bucket[] {
  if (totalOf(before) > totalOf(now)) return now
  const counted = new Map(before.map(({ upTo, count }) => [upTo, count]))
  return now.map(({ upTo, count }) => ({ upTo, count: count - (counted.get(upTo) ?? 0) }))
}

/** The bound of the bucket in which the quantile falls; the largest finite bound for one above all. */
export function quantile(buckets: readonly Bucket[], share: number): number | null {
  const wanted = share * totalOf(buckets)
  if (wanted === 0) return null
  let below = 0
  const found = buckets.find(({ count }) => (below += count) >= wanted)
  return found?.upTo ?? buckets.findLast(({ upTo }) => upTo !== null)?.upTo ?? null
}
