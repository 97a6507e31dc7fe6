import { stringify } from 'yaml'

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
