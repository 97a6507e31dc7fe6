/**
 * Milliseconds as Go's time.Duration prints itself (`300ms`, `1.2s`, `1m20s`, `5m0s`, `2h0m0s`), because users and tests
 * match on Kubernetes' messages. Fractions of a millisecond are cut. Pure.
 */
export function formatDuration(durationMs: number): string {
  const ms = Math.abs(Math.trunc(durationMs))
  const sign = durationMs < 0 && ms > 0 ? '-' : ''
  if (ms === 0) return '0s'
  if (ms < 1000) return `${sign}${ms}ms`
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = `${(ms % 60_000) / 1000}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`
}

/** Without signs and units below a millisecond. */
const durationPattern = /^(\d{1,9}(\.\d{1,9})?(ms|s|m|h))+$/
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a duration as Go reads it (`1m30s`, time.ParseDuration); undefined where it is none. Pure. */
export function parseDuration(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined
  return [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, amount = '', unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0),
    0,
  )
}
