import { equalJson } from '../../../shared/json.ts'
import type { KubeObject, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { podInfo } from './pod-info.ts'

/** What of a pod or a node has changed. Source: pkg/scheduler/framework ActionType. */
type NodeAction = 'Add' | 'Delete' | 'Allocatable' | 'Label' | 'Taint' | 'Condition' | 'Annotation'
type PodAction = 'Add' | 'Delete' | 'Label' | 'ScaleDown' | 'GatesEliminated' | 'Toleration'

/** A change that may let a pod fit. Pods on nodes and pods without one. */
export type ClusterEvent =
  | {
      readonly kind: 'node'
      readonly action: NodeAction
      readonly before?: Node
      readonly after?: Node
    }
  | {
      readonly kind: 'pod'
      readonly action: PodAction
      readonly before?: Pod
      readonly after?: Pod
    }
  | {
      readonly kind: 'claim' | 'volume' | 'class'
      readonly action: 'Add' | 'Update'
      readonly before?: KubeObject
      readonly after: KubeObject
    }
  /** Whatever changed: the pod has waited too long. */
  | { readonly kind: 'timeout' }

function conditionStatuses({ status }: Node): unknown {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: is }) => [type, is]))
}

/** Source: pkg/scheduler/framework/events.go NodeSchedulingPropertiesChange. */
export function nodeEvents(before: Node, after: Node): readonly ClusterEvent[] {
  const changed: readonly (readonly [NodeAction, boolean])[] = [
    ['Taint', before.spec?.unschedulable === true && after.spec?.unschedulable !== true],
    ['Allocatable', !equalJson(before.status?.allocatable, after.status?.allocatable)],
    ['Label', !equalJson(before.metadata.labels ?? {}, after.metadata.labels ?? {})],
    ['Taint', !equalJson(before.spec?.taints ?? [], after.spec?.taints ?? [])],
    ['Condition', !equalJson(conditionStatuses(before), conditionStatuses(after))],
    ['Annotation', !equalJson(before.metadata.annotations ?? {}, after.metadata.annotations ?? {})],
  ]
  return changed
    .filter(([, isChanged]) => isChanged)
    .map(([action]) => ({ kind: 'node', action, before, after }))
}

function isScaledDown(before: Pod, after: Pod): boolean {
  if (before.spec === after.spec && before.status === after.status) return false
  const was = podInfo(before).requests
  const now = podInfo(after).requests
  if (was === now) return false
  return [...was].some(([name, amount]) => {
    const left = now.get(name)
    return left === undefined || left < amount
  })
}

/** Source: pkg/scheduler/framework/events.go PodSchedulingPropertiesChange. */
export function podEvents(before: Pod, after: Pod): readonly ClusterEvent[] {
  const gates = (pod: Pod): number => (pod.spec.schedulingGates ?? []).length
  const tolerations = (pod: Pod): number => (pod.spec.tolerations ?? []).length
  const changed: readonly (readonly [PodAction, boolean])[] = [
    ['Label', !equalJson(before.metadata.labels ?? {}, after.metadata.labels ?? {})],
    ['ScaleDown', isScaledDown(before, after)],
    ['GatesEliminated', gates(after) === 0 && gates(before) > 0],
    ['Toleration', tolerations(after) !== tolerations(before)],
  ]
  return changed
    .filter(([, isChanged]) => isChanged)
    .map(([action]) => ({ kind: 'pod', action, before, after }))
}
