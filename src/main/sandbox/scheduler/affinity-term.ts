import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { selectsLabels } from '../../../shared/kubernetes/disruption-budget.ts'
import type { LabelSelector } from '../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'

type Labels = Readonly<Record<string, string>>

/** One term of pod affinity or anti-affinity. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>
  /** Undefined selects no namespace, an empty one all. */
  readonly namespaceSelector: LabelSelector | undefined
  readonly selector: LabelSelector | undefined
  readonly topologyKey: string
  /** 1 for required terms. */
  readonly weight: number
}

/** Labels of each namespace by its name. */
export type NamespaceLabels = (namespace: string) => Labels | undefined

function selectorAt(object: JsonObject, field: string): LabelSelector | undefined {
  const selector = object[field]
  // What LabelSelector models is checked where it is matched.
  return isJsonObject(selector) ? (selector as LabelSelector) : undefined
}

function namesAt(object: JsonObject): readonly string[] {
  const { namespaces } = object
  return Array.isArray(namespaces) ? namespaces.filter((one) => typeof one === 'string') : []
}

function termOf(pod: Pod, term: JsonObject, weight: number): AffinityTerm {
  const names = namesAt(term)
  const namespaceSelector = selectorAt(term, 'namespaceSelector')
  const isOwn = names.length === 0 && namespaceSelector === undefined
  return {
    namespaces: new Set(isOwn ? [pod.metadata.namespace ?? ''] : names),
    namespaceSelector,
    selector: selectorAt(term, 'labelSelector'),
    topologyKey: textAt(term, 'topologyKey'),
    weight,
  }
}

/** The terms of a pod's affinity. Source: pkg/scheduler/framework GetAffinityTerms. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[]
  readonly preferred: readonly AffinityTerm[]
}

const noTerms: AffinityTerms = { required: [], preferred: [] }

export function affinityTerms(pod: Pod, kind: 'podAffinity' | 'podAntiAffinity'): AffinityTerms {
  const { affinity } = pod.spec
  if (!isJsonObject(affinity) || !isJsonObject(affinity[kind])) return noTerms
  const terms = affinity[kind]
  return {
    required: objectsAt(terms, 'requiredDuringSchedulingIgnoredDuringExecution').map((term) =>
      termOf(pod, term, 1),
    ),
    preferred: objectsAt(terms, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) =>
      termOf(pod, objectAt(term, 'podAffinityTerm'), numberAt(term, 'weight') ?? 0),
    ),
  }
}

/** True if the term selects the pod. `labels`: of the pod's namespace. Source: AffinityTerm.Matches. */
export function matchesTerm(
  term: AffinityTerm,
  { metadata }: Pick<Pod, 'metadata'>,
  labels: Labels | undefined,
): boolean {
  const isInNamespace =
    term.namespaces.has(metadata.namespace ?? '') ||
    selectsLabels(term.namespaceSelector, labels ?? {})
  return isInNamespace && selectsLabels(term.selector, metadata.labels ?? {})
}
