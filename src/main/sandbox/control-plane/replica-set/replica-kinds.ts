import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type {
  PodTemplate,
  ReplicaSet,
  ReplicationController,
} from '../../../../shared/kubernetes/workloads.ts'
import type { AnyResources } from '../../../cluster/client/resource-paths.ts'
import { hasLabels } from '../../../kubelet/container/listing-filter.ts'

export type ReplicaResource = 'apps/v1/replicasets' | 'v1/replicationcontrollers'

/** A ReplicaSet or ReplicationController. */
export type Replicated = ReplicaSet | ReplicationController

/** What one controller needs to know of either kind. */
export interface ReplicaKind<R extends ReplicaResource> {
  readonly resource: R
  readonly kind: string
  /** Of its events. */
  readonly component: string
  readonly selects: (object: AnyResources[R], pod: Pod) => boolean
}

export const replicaSetKind: ReplicaKind<'apps/v1/replicasets'> = {
  resource: 'apps/v1/replicasets',
  kind: 'ReplicaSet',
  component: 'replicaset-controller',
  selects: ({ spec }, { metadata }) => selectsLabels(spec.selector, metadata.labels ?? {}),
}

export const replicationControllerKind: ReplicaKind<'v1/replicationcontrollers'> = {
  resource: 'v1/replicationcontrollers',
  kind: 'ReplicationController',
  component: 'replication-controller',
  selects: ({ spec }, { metadata }) => {
    const selector = spec.selector ?? {}
    return Object.keys(selector).length > 0 && hasLabels(selector, metadata.labels ?? {})
  },
}

/** The template; without one no pod can be created. */
export function templateOf({ spec }: Replicated): PodTemplate {
  return spec.template ?? { spec: { containers: [] } }
}
