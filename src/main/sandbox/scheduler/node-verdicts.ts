import type { NodeVerdict } from '../../../shared/model/workloads/workloads.ts'
import { prepareFilters, runFiltersWithNominatedPods } from './filters.ts'
import type { NominatedPods } from './filters.ts'
import type { CycleContext } from './framework.ts'
import type { PodInfo } from './pod-info.ts'
import { unresolvable } from './status.ts'
import type { PluginStatus } from './status.ts'

/**
 * What the filters say of every node now, in the order of their names. A cycle of the scheduler says the same, but stops when
 * it has enough nodes.
 */
export function nodeVerdicts(
  pod: PodInfo,
  context: CycleContext & { readonly nominated: NominatedPods },
): readonly NodeVerdict[] {
  const prepared = prepareFilters(pod, context)
  const statusOf = (node: CycleContext['snapshot']['nodes'][number]): PluginStatus | undefined => {
    if ('rejected' in prepared) return prepared.rejected
    const only = prepared.filters.nodeNames
    if (only !== undefined && !only.names.has(node.name))
      return {
        ...unresolvable(`node(s) didn't satisfy plugin(s) [${only.plugin}]`),
        plugin: only.plugin,
      }
    return runFiltersWithNominatedPods(pod, node, prepared.filters, context.nominated)
  }
  return context.snapshot.nodes
    .map((node): NodeVerdict => {
      const { plugin = '', reasons = [], code } = statusOf(node) ?? {}
      return { node: node.name, plugin, reasons, mayPreempt: code === 'Unschedulable' }
    })
    .toSorted((one, other) => (one.node < other.node ? -1 : 1))
}
