import { numberAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  invalidEach,
  invalidField,
  problemIf,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { percentProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'

const negative = 'must be greater than or equal to 0'

/** The problem of a negative number. */
export function nonnegativeProblems(value: unknown, field: string): FieldProblems {
  const isNegative = typeof value === 'number' && value < 0
  return problemIf(isNegative, invalidField(field, value, negative))
}

/** The same for fields of an object, in their order. `prefix`: the object’s own field. */
export function nonnegativeFields(
  object: JsonObject,
  prefix: string,
  names: readonly string[],
): FieldProblems {
  return names.flatMap((name) => nonnegativeProblems(object[name], `${prefix}.${name}`))
}

/** Problems of counts of a status that are larger than another count. */
export function largerThan(
  status: JsonObject,
  names: readonly string[],
  limit: string,
  detail: string,
): FieldProblems {
  const most = numberAt(status, limit) ?? 0
  return names.flatMap((name) => {
    const count = numberAt(status, name) ?? 0
    return problemIf(count > most, invalidField(`status.${name}`, count, detail))
  })
}

/** The problem of `collisionCount` that became smaller. */
export function decrementProblems(status: JsonObject, old: JsonObject): FieldProblems {
  const count = numberAt(status, 'collisionCount') ?? 0
  const isLess = count < (numberAt(old, 'collisionCount') ?? count)
  const problem = invalidField('status.collisionCount', count, 'cannot be decremented')
  return problemIf(isLess, problem)
}

/** The number, or the number before the percent sign. Text that is not a percentage counts as 0, like Go's Atoi. */
export function amountOf(value: unknown): number {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : ''
  return percentProblems(text).length === 0 || /^[+-]?\d+$/.test(text)
    ? Number.parseInt(text, 10)
    : 0
}

/** Source: pkg/apis/apps/validation ValidatePositiveIntOrPercent. */
export function intOrPercentProblems(value: unknown, field: string): FieldProblems {
  return typeof value === 'string'
    ? invalidEach(field, value, percentProblems(value))
    : nonnegativeProblems(value, field)
}

/** Source: pkg/apis/apps/validation IsNotMoreThan100Percent. */
export function percentLimitProblems(value: unknown, field: string): FieldProblems {
  const isPercent = typeof value === 'string' && percentProblems(value).length === 0
  const isTooMuch = isPercent && Number.parseInt(value, 10) > 100
  return problemIf(isTooMuch, invalidField(field, value, 'must not be greater than 100%'))
}
