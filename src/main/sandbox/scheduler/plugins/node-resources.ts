import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { nonzeroRequests, podRequests } from '../../../../shared/kubernetes/pod-requests.ts'
import type { ResourceAmounts } from '../../../../shared/kubernetes/pod-requests.ts'
import { isScalarResource } from '../../../../shared/kubernetes/resource-names.ts'
import { maxNodeScore } from '../framework.ts'
import type { FilterPlugin, ScorePlugin } from '../framework.ts'
import type { NodeInfo } from '../node-info.ts'
import { unresolvable, unschedulable } from '../status.ts'
import type { Status } from '../status.ts'

/** Source: pkg/scheduler/framework/plugins/noderesources (v1.34). */

const fitName = 'NodeResourcesFit'

function isCounted(resource: string): boolean {
  return (
    resource === 'cpu' ||
    resource === 'memory' ||
    resource === 'ephemeral-storage' ||
    isScalarResource(resource)
  )
}

/** What a pod that is to be scheduled asks for, without what is 0 or not counted. */
export function requestsToFit(pod: Pod): ResourceAmounts {
  return new Map([...podRequests(pod)].filter(([name, amount]) => amount > 0n && isCounted(name)))
}

/** The resources that a node has too little of; undefined if the pod fits. */
export function shortage(
  wanted: ResourceAmounts,
  { allocatable, requested, pods }: Pick<NodeInfo, 'allocatable' | 'requested' | 'pods'>,
): Status | undefined {
  const reasons: string[] = []
  let isFinal = false
  if (BigInt(pods.length + 1) > (allocatable.get('pods') ?? 0n)) reasons.push('Too many pods')
  for (const [name, amount] of wanted) {
    const all = allocatable.get(name) ?? 0n
    if (amount <= all - (requested.get(name) ?? 0n)) continue
    reasons.push(`Insufficient ${name}`)
    if (amount > all) isFinal = true
  }
  if (reasons.length === 0) return undefined
  return isFinal ? unresolvable(...reasons) : unschedulable(...reasons)
}

export const nodeResourcesFit: FilterPlugin = {
  name: fitName,
  prepare: ({ pod }) => {
    const wanted = requestsToFit(pod)
    return { filter: (node) => shortage(wanted, node) }
  },
}

const scored = ['cpu', 'memory'] as const
const bigMaxScore = BigInt(maxNodeScore)

/** Strategy LeastAllocated: the more of a node would be free, the better. */
export const leastAllocated: ScorePlugin = {
  name: fitName,
  weight: 1,
  prepare: ({ pod }) => {
    const wanted = nonzeroRequests(pod)
    return {
      score: ({ allocatable, nonzero }) => {
        let sum = 0n
        let count = 0n
        for (const name of scored) {
          const all = allocatable.get(name) ?? 0n
          if (all === 0n) continue
          const free = all - nonzero[name] - wanted[name]
          if (free > 0n) sum += (free * bigMaxScore) / all
          count++
        }
        return count === 0n ? 0 : Number(sum / count)
      },
    }
  },
}

/** The closer the used shares of CPU and memory would be, the better. */
export const balancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  prepare: ({ requests }) => {
    if (scored.every((name) => (requests.get(name) ?? 0n) === 0n)) return undefined
    return {
      score: ({ allocatable, requested }) => {
        const share = (name: (typeof scored)[number]): number | undefined => {
          const all = allocatable.get(name) ?? 0n
          if (all === 0n) return undefined
          const used = (requested.get(name) ?? 0n) + (requests.get(name) ?? 0n)
          return Math.min(1, Number(used) / Number(all))
        }
        const [cpu, memory] = [share('cpu'), share('memory')]
        const deviation =
          cpu === undefined || memory === undefined ? 0 : Math.abs((cpu - memory) / 2)
        return Math.trunc((1 - deviation) * maxNodeScore)
      },
    }
  },
}
