/**
 * Writes milliseconds as Go's time.Duration prints itself (`300ms`, `1.2s`, `1m20s`, `5m0s`, `2h0m0s`),
 * because users and tests match on the kubelet's messages. Fractions of a millisecond are cut.
 */
export function formatGoDuration(durationMs: number): string {
  const ms = Math.trunc(durationMs)
  if (ms === 0) return '0s'
  const sign = ms < 0 ? '-' : ''
  const total = Math.abs(ms)
  if (total < 1000) return `${sign}${total}ms`
  const hours = Math.floor(total / 3_600_000)
  const minutes = Math.floor(total / 60_000) % 60
  const seconds = `${(total % 60_000) / 1000}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`
}
