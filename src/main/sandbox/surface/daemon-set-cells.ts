import type {
  LabelSelector,
  SelectorRequirement,
} from '../../../shared/kubernetes/disruption-budget.ts'
import type { ObjectMeta } from '../../../shared/kubernetes/objects.ts'

/** The part of an apps/v1 DaemonSet that its table shows. */
export interface DaemonSet {
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
  readonly status?: Readonly<Partial<Record<(typeof counts)[number], number>>>
}

const counts = [
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
] as const

function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`)
  return pairs.length === 0 ? '<none>' : pairs.toSorted().join(',')
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
  const parts = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(selector?.matchExpressions ?? []).map((requirement) => ({
      key: requirement.key,
      text: requirementText(requirement),
    })),
  ]
  if (parts.length === 0) return '<none>'
  // By key and not by text: a leading ! does not count.
  const sorted = parts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return sorted.map((part) => part.text).join(',')
}

/** Source: Kubernetes pkg/printers/internalversion printDaemonSet (v1.34). */
export function daemonSetCells(set: DaemonSet, age: string): readonly (string | number)[] {
  const template = set.spec?.template?.spec
  const containers = template?.containers ?? []
  return [
    set.metadata.name,
    ...counts.map((count) => set.status?.[count] ?? 0),
    labelsText(template?.nodeSelector),
    age,
    containers.map((container) => container.name).join(','),
    containers.map((container) => container.image ?? '').join(','),
    selectorText(set.spec?.selector),
  ]
}
