import { filterPlugins } from './default-profile.ts'
import type { CycleContext, PreparedFilter } from './framework.ts'
import { PodsOnNode } from './node-info.ts'
import type { NodeInfo } from './node-info.ts'
import type { PodInfo } from './pod-info.ts'
import type { PluginStatus } from './status.ts'
import type { PodVolumes } from './volume-binder.ts'

interface NamedFilter {
  readonly plugin: string
  readonly prepared: PreparedFilter
}

/** The filters of one cycle, after their PreFilter. Source: pkg/scheduler/framework/runtime RunFilterPlugins. */
export class CycleFilters {
  readonly #filters: readonly NamedFilter[]

  constructor(filters: readonly NamedFilter[]) {
    this.#filters = filters
  }

  /** The only nodes that can pass; undefined for all. `plugins`: which say so. */
  get nodeNames(): { readonly names: ReadonlySet<string>; readonly plugin: string } | undefined {
    for (const { plugin, prepared } of this.#filters)
      if (prepared.nodeNames !== undefined) return { names: prepared.nodeNames, plugin }
    return undefined
  }

  /** What is to be bound before the pod, on a node that has passed. */
  podVolumes(nodeName: string): PodVolumes | undefined {
    for (const { prepared } of this.#filters) {
      const found = prepared.podVolumes?.(nodeName)
      if (found !== undefined) return found
    }
    return undefined
  }

  clone(): CycleFilters {
    return new CycleFilters(
      this.#filters.map(({ plugin, prepared }) => ({
        plugin,
        prepared: prepared.clone?.() ?? prepared,
      })),
    )
  }

  changed(pod: PodInfo, node: NodeInfo, sign: 1 | -1): void {
    for (const { prepared } of this.#filters) prepared.changed?.(pod, node, sign)
  }

  /** The status of the first filter that rejects the node. */
  run(node: NodeInfo): PluginStatus | undefined {
    for (const { plugin, prepared } of this.#filters) {
      const status = prepared.filter(node)
      if (status !== undefined) return { ...status, plugin }
    }
    return undefined
  }
}

/** The filters for a pod, or the status of the first that rejects it on all nodes. */
export function prepareFilters(
  pod: PodInfo,
  context: CycleContext,
): { readonly filters: CycleFilters } | { readonly rejected: PluginStatus } {
  const filters: NamedFilter[] = []
  for (const { name: plugin, prepare } of filterPlugins) {
    const prepared = prepare(pod, context)
    if (prepared === undefined) continue
    if ('code' in prepared) return { rejected: { ...prepared, plugin } }
    filters.push({ plugin, prepared })
  }
  return { filters: new CycleFilters(filters) }
}

/** Pods that wait for their victims on a node. */
export type NominatedPods = (nodeName: string) => readonly PodInfo[]

/**
 * Runs the filters as if the nominated pods of equal or higher priority were on the node, and then without them, because one
 * of them may be what the pod needs. Source: RunFilterPluginsWithNominatedPods.
 */
export function runFiltersWithNominatedPods(
  pod: PodInfo,
  node: NodeInfo,
  filters: CycleFilters,
  nominated: NominatedPods,
): PluginStatus | undefined {
  const added = nominated(node.name).filter(
    ({ priority, uid }) => priority >= pod.priority && uid !== pod.uid,
  )
  if (added.length === 0) return filters.run(node)
  const withAdded = new PodsOnNode(node.node, node)
  const changed = filters.clone()
  for (const other of added) {
    withAdded.add(other)
    changed.changed(other, withAdded, 1)
  }
  return changed.run(withAdded) ?? filters.run(node)
}
