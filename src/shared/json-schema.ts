import type { JsonObject } from './json.ts'
import { isJsonObject, listAt, numberAt, objectAt, ownField, textAt } from './json.ts'

/** What is wrong with a value: a sentence, and the field as validation names it (`spec.steps[0].wait`; empty: the whole). */
export interface SchemaProblem {
  readonly field: string
  readonly message: string
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const words: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}

function named(field: string): string {
  return field === '' ? 'The file' : field
}

/** The first problem of a value under a schema in the root's words: type, enum, pattern, properties, required, items, bounds. */
export function schemaProblem(
  root: JsonObject,
  value: unknown,
  schema: JsonObject = root,
  field = '',
): SchemaProblem | undefined {
  const reference = textAt(schema, '$ref')
  if (reference !== '') {
    const target = objectAt(objectAt(root, '$defs'), reference.replace('#/$defs/', ''))
    return schemaProblem(root, value, target, field)
  }
  const message = valueProblem(value, schema)
  if (message !== undefined) return { field, message: `${named(field)} ${message}.` }
  if (isJsonObject(value)) return objectProblem(root, value, schema, field)
  if (!Array.isArray(value)) return undefined
  const items = objectAt(schema, 'items')
  for (const [index, item] of value.entries()) {
    const problem = schemaProblem(root, item, items, `${field}[${index}]`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function valueProblem(value: unknown, schema: JsonObject): string | undefined {
  const type = textAt(schema, 'type')
  const isType =
    type === '' || (type === 'integer' ? Number.isInteger(value) : typeOf(value) === type)
  if (!isType) return `needs ${words[type] ?? type}, not ${words[typeOf(value)] ?? typeOf(value)}`
  const values = listAt(schema, 'enum')
  if (values.length > 0 && !values.includes(value))
    return `needs one of ${values.join(', ')}, not ${String(value)}`
  const [least, most] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')]
  if (typeof value === 'number' && (value < (least ?? value) || value > (most ?? value)))
    return most === undefined
      ? `needs a number of at least ${least}, not ${value}`
      : `needs a number from ${least} to ${most}, not ${value}`
  const pattern = textAt(schema, 'pattern')
  if (typeof value === 'string' && pattern !== '' && !new RegExp(pattern).test(value))
    return `needs ${textAt(schema, 'description') || `a text like ${pattern}`}, not "${value}"`
  const fewest = numberAt(schema, 'minItems') ?? 0
  if (Array.isArray(value) && value.length < fewest) return `needs at least ${fewest} item`
  return undefined
}

function objectProblem(
  root: JsonObject,
  value: JsonObject,
  schema: JsonObject,
  field: string,
): SchemaProblem | undefined {
  const properties = objectAt(schema, 'properties')
  const path = (name: string): string => (field === '' ? name : `${field}.${name}`)
  const isOpen = schema['additionalProperties'] !== false
  for (const [name, inner] of Object.entries(value)) {
    const property = ownField(properties, name)
    if (isJsonObject(property)) {
      const problem = schemaProblem(root, inner, property, path(name))
      if (problem !== undefined) return problem
    } else if (!isOpen) {
      const known = Object.keys(properties).join(', ')
      const message = `${path(name)} is not known: ${named(field)} has ${known}.`
      return { field: path(name), message }
    } else {
      const rest = schema['additionalProperties']
      const problem = isJsonObject(rest) ? schemaProblem(root, inner, rest, path(name)) : undefined
      if (problem !== undefined) return problem
    }
  }
  const required = listAt(schema, 'required').filter((name) => typeof name === 'string')
  const missing = required.find((name) => value[name] === undefined)
  if (missing !== undefined) return { field, message: `${path(missing)} is missing.` }
  const most = numberAt(schema, 'maxProperties')
  const fewest = numberAt(schema, 'minProperties')
  const count = Object.keys(value).length
  if ((most !== undefined && count > most) || (fewest !== undefined && count < fewest))
    return {
      field,
      message: `${named(field)} needs exactly one of ${Object.keys(properties).join(', ')}.`,
    }
  return undefined
}
