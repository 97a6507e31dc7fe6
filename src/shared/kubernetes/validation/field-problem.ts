import { equalJson } from '../../json.ts'

/**
 * What is wrong with one field, in the API server's words.
 * Source: apimachinery pkg/util/validation/field/errors.go.
 */

/** The `reason` of a cause in a Status of reason Invalid. `FieldValueTypeInvalid` means that the value could not be decoded. */
export type FieldProblemReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueDuplicate'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'

/** `message` does not repeat the field: `Required value`, `Invalid value: "x": must be …`. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
  readonly reason: FieldProblemReason
}

export type FieldProblems = readonly FieldProblem[]

// Go prints strings quoted, numbers and booleans plain, everything else as JSON; JSON does all three.
function shown(value: unknown): string {
  return JSON.stringify(value ?? null)
}

function withDetail(message: string, detail: string): string {
  return detail === '' ? message : `${message}: ${detail}`
}

/** A value that must be there is absent or empty. */
export function requiredField(field: string, detail = ''): FieldProblem {
  return { field, message: withDetail('Required value', detail), reason: 'FieldValueRequired' }
}

/** A value that is out of range or malformed. */
export function invalidField(field: string, value: unknown, detail: string): FieldProblem {
  const message = withDetail(`Invalid value: ${shown(value)}`, detail)
  return { field, message, reason: 'FieldValueInvalid' }
}

/** The same without the value. Source: field.OmitValueType. */
export function invalidWithoutValue(field: string, detail: string): FieldProblem {
  return { field, message: `Invalid value: ${detail}`, reason: 'FieldValueInvalid' }
}

/** The problem of a list with more than `limit` items. */
export function tooManyProblems(
  field: string,
  count: number,
  limit: number,
): readonly FieldProblem[] {
  const message = `Too many: ${count}: must have at most ${limit} items`
  return problemIf(count > limit, { field, message, reason: 'FieldValueTooMany' })
}

/** A problem for each message of a rule about one value. */
export function invalidEach(
  field: string,
  value: unknown,
  messages: readonly string[],
): readonly FieldProblem[] {
  return messages.map((message) => invalidField(field, value, message))
}

/** A value that must be unique and is not. */
export function duplicateField(field: string, value: unknown): FieldProblem {
  return { field, message: `Duplicate value: ${shown(value)}`, reason: 'FieldValueDuplicate' }
}

/** A value outside its enumeration. */
export function unsupportedField(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldProblem {
  const detail = `supported values: ${supported.map(shown).join(', ')}`
  const message = `Unsupported value: ${shown(value)}: ${detail}`
  return { field, message, reason: 'FieldValueNotSupported' }
}

/** A value that is well formed but not permitted here. */
export function forbiddenField(field: string, detail: string): FieldProblem {
  return { field, message: withDetail('Forbidden', detail), reason: 'FieldValueForbidden' }
}

/** A reference to something that is not there. */
export function unknownReference(field: string, value: unknown): FieldProblem {
  return { field, message: `Not found: ${shown(value)}`, reason: 'FieldValueNotFound' }
}

/** A value longer than `limitBytes`. */
export function tooLongField(field: string, limitBytes: number): FieldProblem {
  const message = `Too long: may not be more than ${limitBytes} bytes`
  return { field, message, reason: 'FieldValueTooLong' }
}

/** The problem if the condition holds, for a list of problems. */
export function problemIf(condition: boolean, problem: FieldProblem): readonly FieldProblem[] {
  return condition ? [problem] : []
}

/** The problem unless the condition holds, for a list of problems. */
export function problemUnless(condition: boolean, problem: FieldProblem): readonly FieldProblem[] {
  return condition ? [] : [problem]
}

/** The problem of a value that is not one of `supported`. */
export function enumProblems(
  field: string,
  value: unknown,
  supported: readonly string[],
): readonly FieldProblem[] {
  const isSupported = supported.some((word) => word === value)
  return problemUnless(isSupported, unsupportedField(field, value, supported))
}

/** The problem of a changed value. Source: apimachinery pkg/api/validation ValidateImmutableField. */
export function immutableProblems(
  field: string,
  value: unknown,
  old: unknown,
): readonly FieldProblem[] {
  const problem = invalidField(field, value, 'field is immutable')
  return problemUnless(equalJson(value, old), problem)
}

/** All problems as one text, as a Status of reason Invalid words them; repeats are left out. */
export function fieldProblemsText(problems: readonly FieldProblem[]): string {
  const texts = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}
