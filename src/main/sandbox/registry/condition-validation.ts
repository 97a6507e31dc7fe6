import {
  duplicateField,
  enumProblems,
  invalidField,
  invalidEach,
  problemIf,
  requiredField,
  tooLongField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  conditionReasonProblems,
  qualifiedNameProblems,
} from '../../../shared/kubernetes/validation/name-rules.ts'

const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024

function reasonProblems(reason: string, field: string): FieldProblems {
  if (reason === '') return [requiredField(field)]
  return [
    ...invalidEach(field, reason, conditionReasonProblems(reason)),
    ...problemIf(reason.length > maxReasonBytes, tooLongField(field, maxReasonBytes)),
  ]
}

function conditionProblems(condition: JsonObject, field: string): FieldProblems {
  const type = textAt(condition, 'type')
  const status = textAt(condition, 'status')
  const generation = Number(condition['observedGeneration'] ?? 0)
  const statuses = ['False', 'True', 'Unknown']
  return [
    ...invalidEach(`${field}.type`, type, qualifiedNameProblems(type)),
    ...enumProblems(`${field}.status`, status, statuses),
    ...problemIf(
      generation < 0,
      invalidField(
        `${field}.observedGeneration`,
        generation,
        'must be greater than or equal to zero',
      ),
    ),
    ...problemIf(
      textAt(condition, 'lastTransitionTime') === '',
      requiredField(`${field}.lastTransitionTime`),
    ),
    ...reasonProblems(textAt(condition, 'reason'), `${field}.reason`),
    ...problemIf(
      textAt(condition, 'message').length > maxMessageBytes,
      tooLongField(`${field}.message`, maxMessageBytes),
    ),
  ]
}

/** Problems of a list of meta/v1 conditions. Source: apimachinery meta/v1 ValidateConditions. */
export function conditionsProblems(
  conditions: readonly JsonObject[],
  field: string,
): FieldProblems {
  const types = conditions.map((condition) => textAt(condition, 'type'))
  return conditions.flatMap((condition, index) => [
    ...problemIf(
      types.indexOf(types[index] ?? '') < index,
      duplicateField(`${field}[${index}].type`, types[index]),
    ),
    ...conditionProblems(condition, `${field}[${index}]`),
  ])
}
