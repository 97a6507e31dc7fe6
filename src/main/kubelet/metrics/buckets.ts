/** The buckets of the Prometheus client for Go (prometheus.DefBuckets), in seconds. */
export const defaultBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** `count` buckets, each `factor` times as large as the one before. Multiplied step by step, like in Go. */
export function exponentialBuckets(
  start: number,
  factor: number,
  count: number,
): readonly number[] {
  const buckets: number[] = []
  for (let bucket = start; buckets.length < count; bucket *= factor) buckets.push(bucket)
  return buckets
}
