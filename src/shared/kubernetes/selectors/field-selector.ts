import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'

/** The text of a field, by its name in a field selector; empty if the field is absent. */
export type SelectableFields<T> = ReadonlyMap<string, (object: T) => string>

function unsupported(field: string, hasOwnFields: boolean): string {
  return hasOwnFields
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

/** One term of a field selector. */
export interface FieldTerm {
  readonly field: string
  readonly isNegated: boolean
  readonly value: string
}

/** Error: what is wrong with the value. */
function unescaped(value: string): Result<string, string> {
  const parts = value.match(/\\[^]?|[^\\]/gu) ?? []
  const problem = parts
    .map((part) => {
      if (part.startsWith('\\'))
        return /^\\[\\,=]$/.test(part) ? undefined : `invalid escape sequence: ${part}`
      return part === '=' ? `unescaped character in value: ${part.codePointAt(0)}` : undefined
    })
    .find(Boolean)
  if (problem !== undefined) return err(`invalid field selector: ${problem}`)
  return ok(value.replaceAll(/\\([^])/g, '$1'))
}

/** The terms of a field selector: `spec.nodeName=n,status.phase!=Failed`. Source: apimachinery pkg/fields/selector.go. */
export function fieldTerms(selector: string): Result<readonly FieldTerm[], string> {
  const terms: FieldTerm[] = []
  // A comma after a backslash is part of a value. Sorted as there, which decides what is found first.
  for (const text of (selector.match(/(?:\\[^]?|[^\\,])+/g) ?? []).toSorted()) {
    const [, field = '', operator = '', escaped = ''] = /^([^]*?)(!=|==|=)([^]*)$/.exec(text) ?? []
    if (operator === '') return err(`invalid selector: '${selector}'; can't understand '${text}'`)
    const value = unescaped(escaped)
    if (!value.ok) return value
    terms.push({ field, isNegated: operator === '!=', value: value.value })
  }
  return ok(terms)
}

/** The value that a field selector requires of a field; undefined if it requires none. */
export function selectedValue(terms: readonly FieldTerm[], field: string): string | undefined {
  return terms.find((term) => term.field === field && !term.isNegated)?.value
}

/**
 * Parses a field selector. `fields`: those that select objects of the kind; `hasOwnFields`: others than metadata.name and
 * metadata.namespace. The error is the message of the answer 400.
 */
export function fieldSelector<T>(
  selector: string,
  fields: SelectableFields<T>,
  hasOwnFields = true,
): Result<(object: T) => boolean, string> {
  const terms = fieldTerms(selector)
  if (!terms.ok) return terms
  const matchers: ((object: T) => boolean)[] = []
  for (const { field, isNegated, value } of terms.value) {
    const read = fields.get(field)
    if (read === undefined) return err(unsupported(field, hasOwnFields))
    matchers.push((object) => (read(object) === value) !== isNegated)
  }
  return ok((object) => matchers.every((matches) => matches(object)))
}
