import type { Taint, Toleration } from './objects.ts'

/**
 * Whether a toleration tolerates a taint (core/v1 ToleratesTaint): an empty effect stands for every effect,
 * an empty key for every key. An operator that is none tolerates nothing.
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  // Go's zero values: a field that is empty is as good as absent.
  const { key = '', effect = '', value = '' } = toleration
  if (effect && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  switch (toleration.operator || 'Equal') {
    case 'Exists':
      return true
    case 'Equal':
      return value === (taint.value ?? '')
    default:
      return false
  }
}
