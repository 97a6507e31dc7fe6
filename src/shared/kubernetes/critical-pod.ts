/** From here on, priorities are of system classes (pkg/apis/scheduling SystemCriticalPriority). */
export const systemCriticalPriority = 2_000_000_000

/** Of the class system-node-critical. */
export const systemNodeCriticalPriority = 2_000_001_000

/** The highest priority of a class that a user makes (pkg/apis/scheduling HighestUserDefinablePriority). */
export const highestUserDefinablePriority = 1_000_000_000

/** Why the kubelet counts a pod as critical (pkg/kubelet/types IsCriticalPod). */
export type CriticalReason = 'static' | 'mirror' | 'priority'

/** Why the kubelet does not evict a critical pod, as one sentence (pkg/kubelet/eviction evictPod). Pure. */
export function evictionRefusal(because: CriticalReason, priority: number): string {
  switch (because) {
    case 'static':
      return 'A static pod counts as critical, whatever its priority: the kubelet never evicts it.'
    case 'mirror':
      return 'A mirror pod counts as critical: the kubelet never evicts it.'
    case 'priority':
      return `Its priority ${priority} makes it critical (${systemCriticalPriority} and more): the kubelet never evicts it.`
  }
}
