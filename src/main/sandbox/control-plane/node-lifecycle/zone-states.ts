import type { Node } from '../../../../shared/kubernetes/objects.ts'

/** What the controller manager's flags are by default (v1.34). */
const nodeEvictionRate = 0.1
const secondaryNodeEvictionRate = 0.01
const largeClusterSizeThreshold = 50
const unhealthyZoneThreshold = 0.55

const excluded = 'node.kubernetes.io/exclude-disruption'

/** `initial`: not looked at yet. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full'

/** How many nodes of a zone are Ready, and how many are not. */
export interface ZoneCount {
  readonly ready: number
  readonly notReady: number
}

/** Source: node_lifecycle_controller.go ComputeZoneState. */
export function zoneState({ ready, notReady }: ZoneCount): ZoneState {
  if (ready === 0 && notReady > 0) return 'full'
  const share = notReady / (notReady + ready)
  return notReady > 2 && Math.fround(share) >= Math.fround(unhealthyZoneThreshold)
    ? 'partial'
    : 'normal'
}

/** Nodes a second that get NoExecute taints in a zone. Source: setLimiterInZone, HealthyQPSFunc, ReducedQPSFunc. */
export function evictionRate(state: ZoneState, zoneSize: number): number {
  if (state !== 'partial') return nodeEvictionRate
  return zoneSize > largeClusterSizeThreshold ? secondaryNodeEvictionRate : 0
}

/** Whether a node counts for the state of its zone. */
export function isCounted({ metadata }: Node): boolean {
  return !Object.hasOwn(metadata.labels ?? {}, excluded)
}
