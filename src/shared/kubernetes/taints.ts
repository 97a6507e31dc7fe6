import type { Pod, Taint, Toleration } from './objects.ts'

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

/**
 * How long a pod may stay on a node with these taints, in ms from when the controller sees them; 0 if it does not tolerate
 * one of them, Infinity for no limit. The `timeAdded` of a taint has no effect.
 */
export function minTolerationMs(pod: Pod, taints: readonly Taint[]): number {
  const spans = taints
    .filter((taint) => taint.effect === 'NoExecute')
    .map((taint) => {
      const used = (pod.spec.tolerations ?? []).filter((one) => toleratesTaint(one, taint))
      if (used.length === 0) return 0
      const seconds = Math.min(...used.map((one) => one.tolerationSeconds ?? Infinity))
      return 1000 * Math.max(0, seconds)
    })
  return Math.min(Infinity, ...spans)
}
