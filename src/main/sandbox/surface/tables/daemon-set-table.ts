import type {
  LabelSelector,
  SelectorRequirement,
} from '../../../../shared/kubernetes/disruption-budget.ts'
import type { ObjectMeta } from '../../../../shared/kubernetes/objects.ts'
import { ageColumn, column, formatLabels, integer, nameColumn, tableOf, wide } from './columns.ts'

/** The part of an apps/v1 DaemonSet that its table shows. */
interface DaemonSet {
  readonly metadata: ObjectMeta
  readonly spec?: {
    readonly selector?: LabelSelector
    readonly template?: {
      readonly spec?: {
        readonly nodeSelector?: Readonly<Record<string, string>>
        readonly containers?: readonly { readonly name: string; readonly image?: string }[]
      }
    }
  }
  readonly status?: Readonly<Record<string, number>>
}

function requirementText({ key, operator, values = [] }: SelectorRequirement): string {
  switch (operator) {
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'NotIn':
      return `${key} notin (${values.toSorted().join(',')})`
    default:
      return `${key} in (${values.toSorted().join(',')})`
  }
}

function selectorText(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {})
  const requirements = selector?.matchExpressions ?? []
  const parts = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...requirements.map((one) => ({ key: one.key, text: requirementText(one) })),
  ]
  if (parts.length === 0) return '<none>'
  // Sorted by key: a leading ! does not count.
  const sorted = parts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return sorted.map((part) => part.text).join(',')
}

/** Source: Kubernetes pkg/printers/internalversion printDaemonSet (v1.34). */
export const daemonSetTable = tableOf(
  [
    nameColumn,
    column('Desired', 'desired', 'How many nodes should run the pod.', integer),
    column('Current', 'current', 'How many of those nodes have it.', integer),
    column('Ready', 'ready', 'How many of them are ready.', integer),
    column('Up-to-date', 'updated', 'How many of them have the current template.', integer),
    column('Available', 'available', 'How many of them have been ready long enough.', integer),
    column('Node Selector', 'nodeSelector', 'The labels that a node must have.'),
    ageColumn,
    column('Containers', 'containers', 'The names of the containers in the template.', wide),
    column('Images', 'images', 'The images of the containers in the template.', wide),
    column('Selector', 'selector', 'The labels that select its pods.', wide),
  ],
  ({ spec, status = {} }: DaemonSet) => {
    const template = spec?.template?.spec
    const containers = template?.containers ?? []
    return {
      desired: status['desiredNumberScheduled'] ?? 0,
      current: status['currentNumberScheduled'] ?? 0,
      ready: status['numberReady'] ?? 0,
      updated: status['updatedNumberScheduled'] ?? 0,
      available: status['numberAvailable'] ?? 0,
      nodeSelector: formatLabels(template?.nodeSelector ?? {}),
      containers: containers.map((container) => container.name).join(','),
      images: containers.map((container) => container.image ?? '').join(','),
      selector: selectorText(spec?.selector),
    }
  },
)
