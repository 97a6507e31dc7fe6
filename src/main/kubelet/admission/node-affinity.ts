import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Node, Pod } from '../../../shared/kubernetes/objects.ts'

type Labels = Readonly<Record<string, string>>

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

function matchesRequirement(requirement: JsonObject, labels: Labels): boolean {
  const actual = labels[textAt(requirement, 'key')]
  const values = texts(requirement['values'])
  const operator = textAt(requirement, 'operator')
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

function matchesTerm(term: JsonObject, node: Node): boolean {
  const expressions = objectsAt(term, 'matchExpressions')
  const fields = objectsAt(term, 'matchFields')
  // An empty term matches no node.
  if (expressions.length === 0 && fields.length === 0) return false
  const labels = node.metadata.labels ?? {}
  return (
    expressions.every((requirement) => matchesRequirement(requirement, labels)) &&
    fields.every((requirement) =>
      matchesRequirement(requirement, { 'metadata.name': node.metadata.name }),
    )
  )
}

/**
 * Whether the node satisfies the pod's nodeSelector and its required node affinity: terms are
 * alternatives, the requirements of one term go together (component-helpers scheduling/corev1/nodeaffinity).
 */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {}
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(
    ([key, value]) => labels[key] === value,
  )
  if (!selected) return false
  const { affinity } = pod.spec
  if (!isJsonObject(affinity)) return true
  const nodeAffinity = objectAt(affinity, 'nodeAffinity')
  const required = nodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']
  if (!isJsonObject(required)) return true
  return objectsAt(required, 'nodeSelectorTerms').some((term) => matchesTerm(term, node))
}
