import { formatQuantity } from '../../../../shared/kubernetes/quantity.ts'
import type { UseSample } from '../../../../shared/model/inside-pod/pod-use.ts'

const mebibyte = 1024 * 1024

/** `231Mi`: whole units, as `kubectl top` prints them. Pure. */
export function memoryText(bytes: number): string {
  const isSmall = bytes < mebibyte
  return isSmall ? `${Math.floor(bytes / 1024)}Ki` : `${Math.floor(bytes / mebibyte)}Mi`
}

/** `1Gi`, exact. Pure. */
export function memoryLimitText(bytes: number): string {
  return formatQuantity({ nanos: BigInt(Math.round(bytes)) * 1_000_000_000n, format: 'binary' })
}

/** `180m`: rounded up, as `kubectl top` does it. Pure. */
export function cpuText(millis: number): string {
  return `${Math.ceil(millis)}m`
}

const throttlingMs = 60_000

/** How much of the last minute a container was throttled, in percent; null: not known. Pure. */
export function throttledPercent(samples: readonly UseSample[]): number | null {
  const last = samples.at(-1)
  if (last === undefined) return null
  const recent = samples.filter(({ at }) => at >= last.at - throttlingMs)
  if (recent.some(({ isThrottled }) => isThrottled === null)) return null
  return Math.round(
    (recent.filter(({ isThrottled }) => isThrottled === true).length * 100) / recent.length,
  )
}
