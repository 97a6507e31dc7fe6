const mib = 1024 * 1024
const gib = 1024 * mib

/** Upper bounds. */
const sizes: readonly (readonly [number, string])[] = [
  [10 * mib, '0-10MB'],
  [100 * mib, '10MB-100MB'],
  [500 * mib, '100MB-500MB'],
  [gib, '500MB-1GB'],
  [5 * gib, '1GB-5GB'],
  [10 * gib, '5GB-10GB'],
  [20 * gib, '10GB-20GB'],
  [30 * gib, '20GB-30GB'],
  [40 * gib, '30GB-40GB'],
  [60 * gib, '40GB-60GB'],
  [100 * gib, '60GB-100GB'],
]

/** What the size of an image is counted as (pkg/kubelet/metrics GetImageSizeBucket). */
export function imageSizeLabel(bytes: number): string {
  if (bytes === 0) return 'N/A'
  return sizes.find(([most]) => bytes <= most)?.[1] ?? 'GT100GB'
}
