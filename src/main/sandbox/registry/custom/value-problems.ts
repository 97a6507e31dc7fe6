import {
  equalJson,
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  ownField,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  invalidField,
  requiredField,
  tooLongField,
  tooManyProblems,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  itemsOf,
  listKeysOf,
  listTypeOf,
  otherFieldsOf,
  takesIntOrString,
} from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'
import { hasFormat, isKnownFormat, patternMatches } from './value-formats.ts'

/** What kube-openapi finds, and how many of its checks passed: that decides which alternative is reported. */
interface Result {
  readonly problems: FieldProblem[]
  matches: number
}

/** A value before an update, where it has a place in the old object: what has not changed is not checked again. */
type Before = { readonly value: unknown } | undefined

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema[takesIntOrString] === true) return ['integer', 'string']
  const type = textAt(schema, 'type')
  return type === '' ? [] : [type]
}

function isOfType(value: unknown, schema: StructuralSchema): boolean {
  const types = typesOf(schema)
  const own = typeOf(value)
  if (own === 'null') return types.length === 0 || schema['nullable'] === true
  if (types.length === 0) return true
  return types.includes(own) || (own === 'integer' && types.includes('number'))
}

/** Whether a factor divides a value, as Go does it for integers. */
function isMultiple(value: number, factor: number): boolean {
  if (Number.isInteger(value)) return value % Math.trunc(factor) === 0
  const quotient = value / factor
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}

/** Checks one value against its schema. Source: kube-openapi pkg/validation/validate (v1.34), with the ratcheting of updates. */
class ValueChecker {
  /** Before the fields of the problems. */
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  check(value: unknown, schema: StructuralSchema, name: string, before: Before): Result {
    const result: Result = { problems: [], matches: 1 }
    if (before !== undefined && equalJson(before.value, value)) return result
    const add = (problems: FieldProblems): void => {
      if (problems.length === 0) result.matches++
      result.problems.push(...problems)
    }
    add(this.#typeProblems(value, schema, name))
    this.#merge(result, this.#alternatives(value, schema, name, before))
    if (typeof value === 'string') {
      add(this.#textProblems(value, schema, name))
      add(this.#formatProblems(value, schema, name))
    }
    if (typeof value === 'number') add(this.#numberProblems(value, schema, name))
    if (Array.isArray(value)) this.#merge(result, this.#list(value, schema, name, before))
    add(this.#enumProblems(value, schema, name))
    if (isJsonObject(value)) this.#merge(result, this.#object(value, schema, name, before))
    return result
  }

  #merge(result: Result, other: Result): void {
    result.problems.push(...other.problems)
    result.matches += other.matches
  }

  #field(name: string): string {
    const own = name.replace(/^\./, '')
    return [this.#prefix, own].filter((part) => part !== '').join('.') || '<nil>'
  }

  /** In the words of kube-openapi, which repeat the field. */
  #invalid(name: string, value: unknown, why: string): FieldProblem {
    return invalidField(this.#field(name), value, `${name} in body ${why}`)
  }

  #typeProblem(name: string, wanted: string, value: string): FieldProblem {
    const problem = this.#invalid(
      name,
      value,
      `must be of type ${wanted}: ${JSON.stringify(value)}`,
    )
    return { ...problem, reason: 'FieldValueTypeInvalid' }
  }

  #typeProblems(value: unknown, schema: StructuralSchema, name: string): FieldProblems {
    if (isOfType(value, schema)) return []
    return [this.#typeProblem(name, typesOf(schema).join(','), typeOf(value))]
  }

  /** About the value as a whole, not about one field. */
  #whole(why: string): FieldProblem {
    return invalidField(this.#prefix === '' ? '<nil>' : this.#prefix, '', why)
  }

  #alternatives(value: unknown, schema: StructuralSchema, name: string, before: Before): Result {
    const result: Result = { problems: [], matches: 1 }
    const checked = (field: string): readonly Result[] =>
      objectsAt(schema, field).map((one) => this.check(value, one, name, before))
    const best = (results: readonly Result[]): Result | undefined =>
      results.toSorted((a, b) => b.matches - a.matches)[0]
    const isValid = ({ problems }: Result): boolean => problems.length === 0
    const any = checked('anyOf')
    if (any.length > 0 && !any.some(isValid)) {
      result.problems.push(
        this.#whole(`"${name}" must validate at least one schema (anyOf)`),
        ...(best(any)?.problems ?? []),
      )
    }
    const one = checked('oneOf')
    const valid = one.filter(isValid).length
    if (one.length > 0 && valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
      const why = `"${name}" must validate one and only one schema (oneOf). ${found}`
      result.problems.push(this.#whole(why), ...(valid === 0 ? (best(one)?.problems ?? []) : []))
    }
    const all = checked('allOf')
    const failed = all.filter((each) => !isValid(each))
    if (failed.length > 0) {
      const none = failed.length === all.length ? '. None validated' : ''
      result.problems.push(
        ...failed.flatMap(({ problems }) => problems),
        this.#whole(`"${name}" must validate all the schemas (allOf)${none}`),
      )
    }
    const { not } = schema
    if (isJsonObject(not) && isValid(this.check(value, not, name, undefined)))
      result.problems.push(this.#whole(`"${name}" must not validate the schema (not)`))
    return result
  }

  #textProblems(value: string, schema: StructuralSchema, name: string): FieldProblems {
    const length = Array.from(value).length
    const longest = numberAt(schema, 'maxLength')
    if (longest !== undefined && length > longest) return [tooLongField(this.#field(name), longest)]
    const shortest = numberAt(schema, 'minLength')
    if (shortest !== undefined && length < shortest)
      return [this.#invalid(name, value, `should be at least ${shortest} chars long`)]
    const pattern = textAt(schema, 'pattern')
    // The pattern of a stored schema can be read.
    const match = patternMatches(pattern, value)
    return match.ok && match.value ? [] : [this.#invalid(name, value, `should match '${pattern}'`)]
  }

  #formatProblems(value: string, schema: StructuralSchema, name: string): FieldProblems {
    const format = textAt(schema, 'format')
    if (format === '' || !isKnownFormat(format) || hasFormat(format, value)) return []
    return [this.#typeProblem(name, format, value)]
  }

  #numberProblems(value: number, schema: StructuralSchema, name: string): FieldProblems {
    const factor = numberAt(schema, 'multipleOf')
    const [least, most] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')]
    const isAbove = schema['exclusiveMinimum'] === true
    const isBelow = schema['exclusiveMaximum'] === true
    const problems: FieldProblem[] = []
    if (factor !== undefined && Number.isInteger(value) && Math.trunc(factor) <= 0) {
      const why = `factor MultipleOf declared for ${name} must be positive: ${Math.trunc(factor)}`
      problems.push(invalidField(this.#field(name), Math.trunc(factor), why))
    } else if (factor !== undefined && !isMultiple(value, factor))
      problems.push(this.#invalid(name, value, `should be a multiple of ${factor}`))
    if (least !== undefined && (isAbove ? value <= least : value < least)) {
      const word = isAbove ? 'greater than' : 'greater than or equal to'
      problems.push(this.#invalid(name, value, `should be ${word} ${least}`))
    }
    if (most !== undefined && (isBelow ? value >= most : value > most)) {
      const word = isBelow ? 'less than' : 'less than or equal to'
      problems.push(this.#invalid(name, value, `should be ${word} ${most}`))
    }
    return problems
  }

  #enumProblems(value: unknown, schema: StructuralSchema, name: string): FieldProblems {
    const allowed = listAt(schema, 'enum')
    if (allowed.length === 0 || allowed.some((one) => equalJson(one, value))) return []
    const words = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    return [unsupportedField(this.#field(name), value, words)]
  }

  #list(value: readonly unknown[], schema: StructuralSchema, name: string, before: Before): Result {
    const result: Result = { problems: [], matches: 1 }
    const items = itemsOf(schema)
    if (items !== undefined) {
      for (const [index, one] of value.entries())
        this.#merge(
          result,
          this.check(one, items, `${name}[${index}]`, elementBefore(one, schema, before)),
        )
    }
    const least = numberAt(schema, 'minItems')
    if (least !== undefined && value.length < least)
      result.problems.push(this.#invalid(name, value.length, `should have at least ${least} items`))
    const most = numberAt(schema, 'maxItems')
    if (most !== undefined)
      result.problems.push(...tooManyProblems(this.#field(name), value.length, most))
    return result
  }

  #object(value: JsonObject, schema: StructuralSchema, name: string, before: Before): Result {
    const result: Result = { problems: [], matches: 0 }
    const count = Object.keys(value).length
    const least = numberAt(schema, 'minProperties')
    if (least !== undefined && count < least)
      result.problems.push(this.#invalid(name, count, `should have at least ${least} properties`))
    const most = numberAt(schema, 'maxProperties')
    if (most !== undefined) result.problems.push(...tooManyProblems(this.#field(name), count, most))
    const properties = objectAt(schema, 'properties')
    const others = otherFieldsOf(schema)
    for (const [key, inner] of Object.entries(value)) {
      const own = ownField(properties, key) ?? others
      if (own === false)
        result.problems.push(
          invalidField(this.#field(name), key, `${name}.${key} in body is a forbidden property`),
        )
      if (!isJsonObject(own)) continue
      const at = name === '' ? key : `${name}.${key}`
      this.#merge(result, this.check(inner, own, at, fieldBefore(key, before)))
    }
    for (const key of listAt(schema, 'required').map(String)) {
      if (!Object.hasOwn(value, key))
        result.problems.push(requiredField(this.#field(`${name}.${key}`)))
    }
    return result
  }
}

function fieldBefore(key: string, before: Before): Before {
  if (!isJsonObject(before?.value) || !Object.hasOwn(before.value, key)) return undefined
  return { value: before.value[key] }
}

/** Only elements of a list of type map have a place in the old one. */
function elementBefore(element: unknown, schema: StructuralSchema, before: Before): Before {
  if (listTypeOf(schema) !== 'map' || !Array.isArray(before?.value) || !isJsonObject(element))
    return undefined
  const keys = listKeysOf(schema)
  const found: unknown = before.value.find(
    (one) => isJsonObject(one) && keys.every((key) => equalJson(one[key], element[key])),
  )
  return found === undefined ? undefined : { value: found }
}

/**
 * What a schema finds wrong with a value. `prefix`: the field with the value; empty: it is the whole object. `before`: the value
 * that an update replaces.
 */
export function valueProblems(
  value: unknown,
  schema: StructuralSchema,
  { prefix = '', before }: { readonly prefix?: string; readonly before?: Before } = {},
): FieldProblems {
  return new ValueChecker(prefix).check(value, schema, '', before).problems
}
