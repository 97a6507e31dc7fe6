/**
 * A number, or a percentage of the total, rounded up or down. Text that is no percentage counts as 0. Source: apimachinery
 * util/intstr GetScaledValueFromIntOrPercent.
 */
export function scaledValue(
  value: number | string | undefined,
  total: number,
  rounding: 'up' | 'down',
): number {
  if (typeof value === 'number') return value
  const [, percent] = /^(\d+)%$/.exec(value ?? '') ?? []
  if (percent === undefined) return 0
  return rounding === 'up'
    ? Math.ceil((Number(percent) * total) / 100)
    : Math.floor((Number(percent) * total) / 100)
}
