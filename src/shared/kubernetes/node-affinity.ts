import { isJsonObject, objectAt, objectsAt, textAt, ownField } from '../json.ts'
import type { JsonObject } from '../json.ts'

type Labels = Readonly<Record<string, string>>

/** What of a node decides: its name, for matchFields, and its labels. */
export interface AffinityNode {
  readonly name: string
  readonly labels: Labels
}

/** What of a pod's spec decides. */
export interface AffinitySpec {
  readonly nodeSelector?: unknown
  readonly affinity?: unknown
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function comparesNumerically(
  actual: string | undefined,
  wanted: string | undefined,
  operator: string,
): boolean {
  const left = Number(actual)
  const right = Number(wanted)
  if (actual === undefined || wanted === undefined) return false
  if (!Number.isInteger(left) || !Number.isInteger(right)) return false
  return operator === 'Gt' ? left > right : left < right
}

/** Whether a label's value meets a requirement of a selector (apimachinery labels.Requirement Matches). */
export function isRequirementMet(
  operator: string,
  actual: string | undefined,
  values: readonly string[],
): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual)
    case 'NotIn':
      return actual === undefined || !values.includes(actual)
    case 'Exists':
      return actual !== undefined
    case 'DoesNotExist':
      return actual === undefined
    case 'Gt':
    case 'Lt':
      return comparesNumerically(actual, values[0], operator)
    default:
      return false
  }
}

function matchesRequirement(requirement: JsonObject, labels: Labels): boolean {
  const actual = ownField(labels, textAt(requirement, 'key'))
  return isRequirementMet(textAt(requirement, 'operator'), actual, texts(requirement['values']))
}

/** Whether a node matches one term, required or preferred (nodeSelectorTerm match). */
export function matchesNodeSelectorTerm(term: JsonObject, node: AffinityNode): boolean {
  const expressions = objectsAt(term, 'matchExpressions')
  const fields = objectsAt(term, 'matchFields')
  // An empty term matches no node.
  if (expressions.length === 0 && fields.length === 0) return false
  return (
    expressions.every((requirement) => matchesRequirement(requirement, node.labels)) &&
    fields.every((requirement) => matchesRequirement(requirement, { 'metadata.name': node.name }))
  )
}

function requiredTerms({ affinity }: AffinitySpec): readonly JsonObject[] | undefined {
  if (!isJsonObject(affinity)) return undefined
  const nodeAffinity = objectAt(affinity, 'nodeAffinity')
  const required = nodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']
  return isJsonObject(required) ? objectsAt(required, 'nodeSelectorTerms') : undefined
}

/**
 * The only nodes that a pod's required node affinity allows by name; undefined where at least one term names none.
 * Empty: its terms contradict themselves. Source: scheduler plugin nodeaffinity PreFilter.
 */
export function requiredNodeNames(spec: AffinitySpec): ReadonlySet<string> | undefined {
  const terms = requiredTerms(spec) ?? []
  if (terms.length === 0) return undefined
  const all = new Set<string>()
  for (const term of terms) {
    const named = objectsAt(term, 'matchFields')
      .filter((field) => field['key'] === 'metadata.name' && field['operator'] === 'In')
      .map((field) => texts(field['values']))
    const [first, ...rest] = named
    if (first === undefined) return undefined
    for (const name of first) if (rest.every((names) => names.includes(name))) all.add(name)
  }
  return all
}

/**
 * Whether the node satisfies a pod's nodeSelector and its required node affinity: terms are
 * alternatives, the requirements of one term go together (component-helpers scheduling/corev1/nodeaffinity).
 */
export function matchesNodeAffinity(spec: AffinitySpec, node: AffinityNode): boolean {
  const { nodeSelector } = spec
  const selector = isJsonObject(nodeSelector) ? Object.entries(nodeSelector) : []
  if (!selector.every(([key, value]) => ownField(node.labels, key) === value)) return false
  return requiredTerms(spec)?.some((term) => matchesNodeSelectorTerm(term, node)) ?? true
}
