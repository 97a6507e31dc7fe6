import type { NamespaceLabels } from './affinity-term.ts'
import type { LabelSelector } from '../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type { NodeInfo } from './node-info.ts'
import type { PodInfo } from './pod-info.ts'
import type { Status } from './status.ts'
import type { PodVolumes } from './volume-binder.ts'

/** The cluster during one scheduling cycle. */
export interface Snapshot {
  /** In the order in which they are tried. */
  readonly nodes: readonly NodeInfo[]
  readonly get: (name: string) => NodeInfo | undefined
  readonly withAffinity: readonly NodeInfo[]
  readonly withRequiredAntiAffinity: readonly NodeInfo[]
  readonly imageState: (name: string) => ImageState
}

/** An image by one of its names: bytes, as the first node reported them, and the number of nodes that have it. */
export interface ImageState {
  readonly size: number
  readonly nodes: number
}

/** Objects other than nodes and pods that plugins read, like listers. */
export interface Listers {
  readonly namespaces: () => readonly { readonly metadata: ObjectMeta }[]
  readonly namespaceLabels: NamespaceLabels
  readonly services: (namespace: string) => readonly ServiceSelector[]
  /** The selector of the ReplicationController, ReplicaSet or StatefulSet that owns a pod; undefined if there is none. */
  readonly ownerSelector: (pod: PodInfo) => LabelSelector | undefined
  readonly claim: (namespace: string, name: string) => KubeObject | undefined
  readonly storageClass: (name: string) => KubeObject | undefined
  readonly volume: (name: string) => KubeObject | undefined
  readonly volumesOfClass: (className: string) => readonly KubeObject[]
}

/** The selector of a Service; undefined if it selects nothing. */
export interface ServiceSelector {
  readonly selector: Readonly<Record<string, string>> | undefined
}

export interface CycleContext {
  readonly snapshot: Snapshot
  readonly listers: Listers
}

/** A filter that has looked at the pod and the cluster (PreFilter), for the nodes one by one. */
export interface PreparedFilter {
  /** The only nodes that can pass; undefined for all. */
  readonly nodeNames?: ReadonlySet<string>
  readonly filter: (node: NodeInfo) => Status | undefined
  /** A pod is added to the node (1) or removed from it (-1), to find out what would be. */
  readonly changed?: (pod: PodInfo, node: NodeInfo, sign: 1 | -1) => void
  /** What is to be bound before the pod, on a node that has passed; undefined if nothing. */
  readonly podVolumes?: (nodeName: string) => PodVolumes | undefined
  /** A copy whose `changed` does not change this one. */
  readonly clone?: () => PreparedFilter
}

/** `prepare`: undefined if the filter passes every node; a status if it rejects the pod on all nodes. */
export interface FilterPlugin {
  readonly name: string
  readonly prepare: (pod: PodInfo, context: CycleContext) => PreparedFilter | Status | undefined
}

/** Scores of 0 to 100 after `normalize`, which gets the scores of all feasible nodes. */
export interface PreparedScore {
  readonly score: (node: NodeInfo) => number
  readonly normalize?: (scores: readonly number[]) => readonly number[]
}

/** `prepare`: undefined if the plugin scores no node. */
export interface ScorePlugin {
  readonly name: string
  readonly weight: number
  readonly prepare: (
    pod: PodInfo,
    feasible: readonly NodeInfo[],
    context: CycleContext,
  ) => PreparedScore | undefined
}

export const maxNodeScore = 100

/** Scores from 0 to the highest become 0 to 100, or 100 to 0. Source: plugins/helper DefaultNormalizeScore. */
export function normalized(scores: readonly number[], isReverse: boolean): readonly number[] {
  const most = Math.max(0, ...scores)
  if (most === 0) return isReverse ? scores.map(() => maxNodeScore) : scores
  return scores.map((score) => {
    const scaled = Math.trunc((maxNodeScore * score) / most)
    return isReverse ? maxNodeScore - scaled : scaled
  })
}
