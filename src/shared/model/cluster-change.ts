import type { PodKey } from './pod-row.ts'

/** What changed in a cluster: the row of one pod, the cluster's own view, the flow or the inspection of one node, or who owns the pods. */
export type ClusterChange =
  | { readonly kind: 'row'; readonly key: PodKey }
  | { readonly kind: 'view' }
  | { readonly kind: 'flow'; readonly node: string }
  | { readonly kind: 'inspect'; readonly node: string }
  | { readonly kind: 'workloads' }
