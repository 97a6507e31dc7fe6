import { stringify } from 'yaml'
import type { WatchView } from '../../../../shared/model/seen-cluster.ts'

/** A permission as RBAC has it. */
export interface RbacRule {
  readonly apiGroup: string
  /** `pods/log`. */
  readonly resource: string
  readonly verbs: readonly string[]
  /** Empty: of the whole cluster. */
  readonly namespace: string
}

/** Roles as YAML that allow exactly these rules; rules with one namespace share a Role. Empty without rules. Pure. */
export function rolesFor(rules: readonly RbacRule[]): string {
  const namespaces = [...new Set(rules.map(({ namespace }) => namespace))]
  return namespaces
    .map((namespace) =>
      stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: namespace === '' ? 'ClusterRole' : 'Role',
        metadata: {
          name: 'nodescope-missing',
          ...(namespace === '' ? {} : { namespace }),
        },
        rules: rules
          .filter((rule) => rule.namespace === namespace)
          .map(({ apiGroup, resource, verbs }) => ({
            apiGroups: [apiGroup],
            resources: [resource],
            verbs,
          })),
      }),
    )
    .join('---\n')
}

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
