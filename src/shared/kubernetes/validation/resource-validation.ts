import { objectAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import { invalidEach, invalidField, requiredField } from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import { qualifiedNameProblems } from './name-rules.ts'
import { compareQuantities, formatQuantity, parseQuantity } from '../quantity.ts'
import { isHugePagesResource, isNativeResource } from '../resource-names.ts'

const standardResources = ['cpu', 'memory', 'ephemeral-storage']

// Extended resources and huge pages cannot be promised twice: limit and request must be the same.
function isOvercommitAllowed(resource: string): boolean {
  return isNativeResource(resource) && !isHugePagesResource(resource)
}

function nameProblems(resource: string, field: string): readonly FieldProblem[] {
  const malformed = qualifiedNameProblems(resource)
  if (malformed.length > 0) return invalidEach(field, resource, malformed)
  if (resource.includes('/')) return []
  if (standardResources.includes(resource) || isHugePagesResource(resource)) return []
  return [
    invalidField(field, resource, 'must be a standard resource type or fully qualified'),
    invalidField(field, resource, 'must be a standard resource for containers'),
  ]
}

function valueProblems(resource: string, value: unknown, field: string): readonly FieldProblem[] {
  const quantity = parseQuantity(value)
  if (quantity === undefined) return []
  const isWhole = quantity.nanos % 1_000_000_000n === 0n
  return [
    ...(quantity.nanos < 0n
      ? [invalidField(field, formatQuantity(quantity), 'must be greater than or equal to 0')]
      : []),
    ...(!isWhole && !isOvercommitAllowed(resource) && !isHugePagesResource(resource)
      ? [invalidField(field, formatQuantity(quantity), 'must be an integer')]
      : []),
  ]
}

function requestProblems(
  resource: string,
  value: unknown,
  limits: JsonObject,
  field: string,
): readonly FieldProblem[] {
  const request = parseQuantity(value)
  const limit = parseQuantity(limits[resource])
  if (request === undefined) return []
  if (limit === undefined) {
    return isOvercommitAllowed(resource)
      ? []
      : [requiredField(`${field}.limits`, 'Limit must be set for non overcommitable resources')]
  }
  const order = compareQuantities(request, limit)
  const shown = formatQuantity(request)
  const of = `${resource} limit of ${formatQuantity(limit)}`
  if (order !== 0 && !isOvercommitAllowed(resource)) {
    return [invalidField(`${field}.requests`, shown, `must be equal to ${of}`)]
  }
  if (order <= 0) return []
  return [invalidField(`${field}.requests`, shown, `must be less than or equal to ${of}`)]
}

/** Problems of one container's limits and requests; `field` is that of its `resources`. */
export function resourceProblems(resources: JsonObject, field: string): readonly FieldProblem[] {
  const limits = objectAt(resources, 'limits')
  const requests = objectAt(resources, 'requests')
  return [
    ...Object.entries(limits).flatMap(([resource, value]) => {
      const at = `${field}.limits[${resource}]`
      return [...nameProblems(resource, at), ...valueProblems(resource, value, at)]
    }),
    ...Object.entries(requests).flatMap(([resource, value]) => {
      const at = `${field}.requests[${resource}]`
      return [
        ...nameProblems(resource, at),
        ...valueProblems(resource, value, at),
        ...requestProblems(resource, value, limits, field),
      ]
    }),
  ]
}
