import type { PluginStatus, Status } from './status.ts'

/** Why a pod fits on no node. Source: pkg/scheduler/framework Diagnosis. */
export interface Diagnosis {
  /** Nodes that a filter rejected. */
  readonly statuses: ReadonlyMap<string, PluginStatus>
  /** Of the other nodes. */
  readonly absent: Status
  /** What rejected the pod on all nodes before one was tried. */
  readonly preFilter?: PluginStatus
}

/** ErrNoNodesAvailable. */
export const noNodesAvailable = 'no nodes available to schedule pods'

function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(', ')
}

/** The message of a FitError. `postFilter`: what the preemption says. Source: FitError.Error. */
export function fitErrorMessage(
  { statuses, absent, preFilter }: Diagnosis,
  nodeCount: number,
  postFilter: string,
): string {
  const prefix = `0/${nodeCount} nodes are available:`
  const parts = [prefix]
  if (preFilter === undefined) {
    const others = Array.from({ length: nodeCount - statuses.size }, () => absent.reasons)
    const reasons = [...statuses.values()].map((status) => status.reasons)
    const text = counted([...reasons, ...others].flat())
    if (text !== '') parts.push(`${text}.`)
  } else parts.push(`${preFilter.reasons.join(', ')}.`)
  if (postFilter !== '') parts.push(postFilter)
  return parts.join(' ')
}
