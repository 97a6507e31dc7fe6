import type { FilterPlugin, ScorePlugin } from './framework.ts'
import { imageLocality } from './plugins/image-locality.ts'
import { interPodAffinity, interPodAffinityScore } from './plugins/inter-pod-affinity.ts'
import {
  nodeAffinity,
  nodeAffinityScore,
  nodeName,
  nodePorts,
  nodeUnschedulable,
  taintScore,
  taintToleration,
} from './plugins/node-plugins.ts'
import { balancedAllocation, leastAllocated, nodeResourcesFit } from './plugins/node-resources.ts'
import { topologySpread, topologySpreadScore } from './plugins/topology-spread.ts'
import { volumeRestrictions } from './plugins/volume-restrictions.ts'
import { volumeBinding } from './plugins/volume-binding.ts'
import { volumeZone } from './plugins/volume-zone.ts'

/** In the order in which they run. Source: pkg/scheduler/apis/config/v1 getDefaultPlugins (v1.34). */
export const filterPlugins: readonly FilterPlugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  volumeBinding,
  volumeZone,
  topologySpread,
  interPodAffinity,
]

export const scorePlugins: readonly ScorePlugin[] = [
  taintScore,
  nodeAffinityScore,
  leastAllocated,
  topologySpreadScore,
  interPodAffinityScore,
  balancedAllocation,
  imageLocality,
]
