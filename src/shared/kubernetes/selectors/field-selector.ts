import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'

/** The text of a field, by its name in a field selector; empty if the field is absent. */
export type SelectableFields<T> = ReadonlyMap<string, (object: T) => string>

function unsupported(field: string, hasOwnFields: boolean): string {
  return hasOwnFields
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

/**
 * Parses a field selector: `spec.nodeName=n,status.phase!=Failed`. `fields`: those that select objects of the kind;
 * `hasOwnFields`: others than metadata.name and metadata.namespace. The error is the message of the answer 400.
 * Source: apimachinery pkg/fields/selector.go.
 */
export function fieldSelector<T>(
  selector: string,
  fields: SelectableFields<T>,
  hasOwnFields = true,
): Result<(object: T) => boolean, string> {
  const matchers: ((object: T) => boolean)[] = []
  for (const text of selector.split(',').filter((part) => part !== '')) {
    const [, field = '', operator = '', value = ''] = /^([^!=]+)(!=|==|=)(.*)$/.exec(text) ?? []
    if (operator === '') return err(`invalid selector: '${selector}'; can't understand '${text}'`)
    const read = fields.get(field)
    if (read === undefined) return err(unsupported(field, hasOwnFields))
    matchers.push((object) => (read(object) === value) === (operator !== '!='))
  }
  return ok((object) => matchers.every((matches) => matches(object)))
}
