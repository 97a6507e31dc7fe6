import { equalJson, isJsonObject, objectAt, ownField } from '../../../../shared/json.ts'
import {
  duplicateField,
  invalidEach,
  invalidField,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { dns1035LabelProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import {
  embedsResource,
  itemsOf,
  listKeysOf,
  listTypeOf,
  otherFieldsOf,
} from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** Calls back for a value and everything in it that has a schema. */
function visit(
  value: unknown,
  schema: StructuralSchema,
  field: string,
  see: (value: unknown, schema: StructuralSchema, field: string) => void,
): void {
  see(value, schema, field)
  const items = itemsOf(schema)
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, one] of value.entries()) visit(one, items, `${field}[${index}]`, see)
  }
  if (!isJsonObject(value)) return
  const properties = objectAt(schema, 'properties')
  const others = otherFieldsOf(schema)
  for (const [name, inner] of Object.entries(value)) {
    const own = ownField(properties, name)
    if (isJsonObject(own)) visit(inner, own, field === '' ? name : `${field}.${name}`, see)
    else if (isJsonObject(others)) visit(inner, others, `${field}[${name}]`, see)
  }
}

/** The second of equal elements, each kind of them once. */
function repeated(list: readonly unknown[]): readonly number[] {
  return [...list.keys()].filter(
    (index) => list.slice(0, index).filter((one) => equalJson(one, list[index])).length === 1,
  )
}

/** Elements of sets, and keys in lists of type map, that are there twice. Source: apiserver/schema/listtype (v1.34). */
export function listProblems(object: unknown, root: StructuralSchema): FieldProblems {
  const problems: FieldProblems[number][] = []
  visit(object, root, '', (value, schema, field) => {
    if (!Array.isArray(value)) return
    const type = listTypeOf(schema)
    if (type === 'set')
      problems.push(
        ...repeated(value).map((index) => duplicateField(`${field}[${index}]`, value[index])),
      )
    if (type !== 'map') return
    const wrong = value.findIndex((one) => one !== null && !isJsonObject(one))
    if (wrong !== -1) {
      const why = 'must be an object for an array of list-type map'
      problems.push(invalidField(`${field}[${wrong}]`, value[wrong], why))
      return
    }
    const keys = value.map((one) =>
      Object.fromEntries(
        listKeysOf(schema).flatMap((key) =>
          isJsonObject(one) && Object.hasOwn(one, key) ? [[key, one[key]]] : [],
        ),
      ),
    )
    problems.push(
      ...repeated(keys).map((index) => duplicateField(`${field}[${index}]`, keys[index])),
    )
  })
  return problems
}

function nameProblems(value: unknown, field: string, isKind: boolean): FieldProblems {
  if (value === undefined) return [requiredField(field)]
  if (typeof value !== 'string') return [invalidField(field, value, 'must be a string')]
  if (value === '') return [invalidField(field, value, 'must not be empty')]
  if (!isKind) return []
  const problems = dns1035LabelProblems(value.toLowerCase())
  const why = `may have mixed case, but should otherwise match: ${problems.join(',')}`
  return problems.length === 0 ? [] : invalidEach(field, value, [why])
}

/** What embedded objects lack. Source: apiserver/schema/objectmeta Validate (v1.34). */
export function embeddedProblems(object: unknown, root: StructuralSchema): FieldProblems {
  const problems: FieldProblems[number][] = []
  visit(object, root, '', (value, schema, field) => {
    if (schema[embedsResource] !== true || field === '' || !isJsonObject(value)) return
    problems.push(
      ...nameProblems(ownField(value, 'apiVersion'), `${field}.apiVersion`, false),
      ...nameProblems(ownField(value, 'kind'), `${field}.kind`, true),
    )
  })
  return problems
}
