import type { WatchView } from '../../../../shared/model/seen-cluster.ts'
import { rolesFor } from '../../../inspector/rbac-roles.ts'

/** What the watch of a resource needs. */
const watched: Readonly<
  Record<WatchView['resource'], { readonly apiGroup: string; readonly namespace: string }>
> = {
  nodes: { apiGroup: '', namespace: '' },
  pods: { apiGroup: '', namespace: '' },
  events: { apiGroup: '', namespace: '' },
  leases: { apiGroup: 'coordination.k8s.io', namespace: 'kube-node-lease' },
  poddisruptionbudgets: { apiGroup: 'policy', namespace: '' },
}

/** The role that a refused watch lacks, as YAML. Pure. */
export function watchRule(resource: WatchView['resource']): string {
  return rolesFor([{ ...watched[resource], resource, verbs: ['list', 'watch'] }])
}
