import type { JsonObject } from '../../../../shared/json.ts'
import type { FirstObject } from '../../registry/first-objects.ts'
import table from './bootstrap-policy.json' with { type: 'json' }

// The roles and bindings that every kube-apiserver with RBAC creates. `npm run kube:schema` makes the table; test/kube/schema.test.ts
// compares it with the server.

/** A rule as a text: verbs, groups, resources, names and paths, each with commas between. `core` is the group without a name. */
type RuleText = string

/** The table of roles and bindings. Names of roles and bindings in a namespace are `namespace/name`. */
export interface BootstrapTable {
  readonly roles: Readonly<
    Record<
      string,
      {
        readonly rules: readonly RuleText[]
        /** `key=value`, besides the label that all have. */
        readonly labels?: readonly string[]
        /** The labels of the roles whose rules it takes. */
        readonly aggregates?: readonly string[]
      }
    >
  >
  /** The role with its kind, and the subjects: `User name`, `Group name`, `ServiceAccount namespace/name`. */
  readonly bindings: Readonly<
    Record<string, { readonly role: string; readonly subjects: readonly string[] }>
  >
}

const apiGroup = 'rbac.authorization.k8s.io'
const lists = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const

function ruleOf(text: RuleText): JsonObject {
  const parts = text.split('|').map((part) => (part === '' ? [] : part.split(',')))
  const fields = lists.map((field, index) => {
    const list = parts[index] ?? []
    return [field, field === 'apiGroups' ? list.map((one) => (one === 'core' ? '' : one)) : list]
  })
  return Object.fromEntries(fields.filter(([, list]) => list?.length !== 0))
}

function labelsOf(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map((text) => [text.replace(/=.*/, ''), text.replace(/.*=/, '')]))
}

function metadataOf(title: string, labels: readonly string[] = []) {
  const [name = '', namespace] = title.split('/').toReversed()
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: '',
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labelsOf(labels) },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  }
}

function subjectOf(text: string): JsonObject {
  const [kind, title = ''] = text.split(' ')
  const [name, namespace] = title.split('/').toReversed()
  return kind === 'ServiceAccount' ? { kind, name, namespace } : { kind, name, apiGroup }
}

/** Every role and binding of a table. */
export function bootstrapPolicy({
  roles,
  bindings,
}: BootstrapTable = table): readonly FirstObject[] {
  const kindOf = (title: string, kind: string): string =>
    title.includes('/') ? kind : `Cluster${kind}`
  return [
    ...Object.entries(roles).map(([title, { rules, labels, aggregates }]): FirstObject => {
      const clusterRoleSelectors = aggregates?.map((label) => ({ matchLabels: labelsOf([label]) }))
      const aggregation =
        clusterRoleSelectors === undefined ? {} : { aggregationRule: { clusterRoleSelectors } }
      const role = { metadata: metadataOf(title, labels), rules: rules.map(ruleOf), ...aggregation }
      return [kindOf(title, 'Role'), role]
    }),
    ...Object.entries(bindings).map(([title, { role, subjects }]): FirstObject => {
      const [kind = '', name = ''] = role.split(' ')
      const roleRef = { apiGroup, kind, name }
      const binding = { metadata: metadataOf(title), roleRef, subjects: subjects.map(subjectOf) }
      return [kindOf(title, 'RoleBinding'), binding]
    }),
  ]
}
