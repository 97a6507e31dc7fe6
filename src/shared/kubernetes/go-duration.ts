/** A duration in ms as Go writes it: `1m30s`, `1h0m0s`, `1.5s`, `500ms`, `0s` (time.Duration.String). Pure. */
export function goDuration(ms: number): string {
  if (ms < 0) return `-${goDuration(-ms)}`
  if (ms === 0) return '0s'
  if (ms < 1000) return `${ms}ms`
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor((ms % 3_600_000) / 60_000)
  const seconds = `${(ms % 60_000) / 1000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
