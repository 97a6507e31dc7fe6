import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { metaFields } from '../registry/selectable-fields.ts'

/** True for the selected objects. */
export type FieldMatcher = (object: JsonObject) => boolean

function unsupported(type: ResourceType, field: string): string {
  return type.selectableFields !== undefined
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

function term(type: ResourceType, text: string): Result<FieldMatcher, string> {
  const match = /^([^!=]+)(!=|==|=)(.*)$/.exec(text)
  if (match === null) {
    return err(`invalid selector: '${text}'; can't understand '${text}'`)
  }
  const [, field = '', operator = '', value = ''] = match
  const read = metaFields.get(field) ?? type.selectableFields?.get(field)
  if (read === undefined) return err(unsupported(type, field))
  return ok((object) => (read(object) === value) === (operator !== '!='))
}

/** Parses a field selector: `spec.nodeName=n,status.phase!=Failed`. The error is the message of the answer 400. */
export function fieldSelector(type: ResourceType, selector: string): Result<FieldMatcher, string> {
  const matchers: FieldMatcher[] = []
  for (const text of selector.split(',').filter((part) => part !== '')) {
    const matcher = term(type, text)
    if (!matcher.ok) return matcher
    matchers.push(matcher.value)
  }
  return ok((object) => matchers.every((matches) => matches(object)))
}
