import {
  forbiddenField,
  invalidField,
  invalidEach,
  problemUnless,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  labelValueProblems,
  qualifiedNameProblems,
} from '../../../shared/kubernetes/validation/name-rules.ts'
import { labelProblems } from '../../../shared/kubernetes/validation/object-meta-validation.ts'

/** `isUnknownAllowed`: of a review, which a newer client may send. */
export function operatorProblems(
  requirement: JsonObject,
  field: string,
  isUnknownAllowed = false,
): FieldProblems {
  const operator = textAt(requirement, 'operator')
  const values = requirement['values']
  const hasValues = Array.isArray(values) && values.length > 0
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (hasValues) return []
      return [
        requiredField(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      ]
    case 'Exists':
    case 'DoesNotExist':
      if (!hasValues) return []
      return [
        forbiddenField(
          `${field}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      ]
    default:
      return problemUnless(
        isUnknownAllowed,
        invalidField(`${field}.operator`, operator, 'not a valid selector operator'),
      )
  }
}

export function requirementProblems(
  requirement: JsonObject,
  field: string,
  isUnknownAllowed = false,
): FieldProblems {
  const key = textAt(requirement, 'key')
  const { values } = requirement
  return [
    ...operatorProblems(requirement, field, isUnknownAllowed),
    ...invalidEach(`${field}.key`, key, qualifiedNameProblems(key)),
    ...(Array.isArray(values) ? values : []).flatMap((value, index) =>
      invalidEach(`${field}.values[${index}]`, value, labelValueProblems(String(value))),
    ),
  ]
}

/** Problems of a label selector in an object. Source: apimachinery meta/v1 ValidateLabelSelector. */
export function selectorProblems(selector: JsonObject, field: string): FieldProblems {
  return [
    ...labelProblems(objectAt(selector, 'matchLabels'), `${field}.matchLabels`),
    ...objectsAt(selector, 'matchExpressions').flatMap((requirement, index) =>
      requirementProblems(requirement, `${field}.matchExpressions[${index}]`),
    ),
  ]
}
