import { assertNever } from '../../assert-never.ts'
import { isJsonObject } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import type { FieldProblem } from '../validation/field-problem.ts'
import { schemaNamed } from './api-schema.ts'
import type { ApiSchema, FieldSchema, FieldType, ScalarKind } from './api-schema.ts'
import { base64Problem, microTimeProblem, quantityProblem, timeProblem } from './go-values.ts'

/** A JSON value as an object of a schema. */
export interface Decoded {
  /** With the fields that the schema has and nothing of the value itself; null and unknown ones are left out, as Go does. */
  readonly object: Readonly<Record<string, unknown>>
  /** Each of the wrong type, in the order of the value; such fields are left out, too. */
  readonly problems: readonly FieldProblem[]
  /** What an API server answers to them; `undefined` where there are none. */
  readonly error: string | undefined
  /** `spec.containers[0].imag`: fields that the schema does not have, in the order of the value. */
  readonly unknownFields: readonly string[]
}

/** Objects of any fields: types of Go with decoders of their own. */
const takesEverything: ReadonlySet<string> = new Set([
  'meta.v1.FieldsV1',
  'mach.runtime.RawExtension',
])

const goScalars: Readonly<Record<ScalarKind, string>> = {
  string: 'string',
  int32: 'int32',
  int64: 'int64',
  number: 'float64',
  bool: 'bool',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  object: 'map[string]interface {}',
  any: 'interface {}',
}

/** What the decoders of these types read first. */
const readFirst: Partial<Record<FieldType['kind'], string>> = {
  time: 'string',
  microTime: 'string',
  intOrString: 'int32',
}

/** How Go writes a type, as far as that follows from its schema. */
export function goType(type: FieldType): string {
  switch (type.kind) {
    case 'struct':
      return `v1.${goName(type.name)}`
    case 'list':
      return `[]${goType(type.of)}`
    case 'map':
      return type.of.kind === 'quantity' ? 'v1.ResourceList' : `map[string]${goType(type.of)}`
    default:
      return goScalars[type.kind]
  }
}

/** The name of a type at or inside a field's own. */
function goTypeIn(field: FieldSchema, type: FieldType): string {
  if (field.goType === undefined) return goType(type)
  let name = field.goType
  for (let at = field.type; at !== type; at = at.of) {
    if (at.kind !== 'list' && at.kind !== 'map') break
    const inner = name.replace(/^(\[\]|map\[[^\]]*\])/, '')
    name = inner === name ? goType(at.of) : inner
  }
  return name
}

function goName(schemaName: string): string {
  return schemaName.slice(schemaName.lastIndexOf('.') + 1)
}

function isInteger(value: unknown, limit: number): value is number {
  return Number.isInteger(value) && Number(value) >= -limit && Number(value) < limit
}

function jsonWord(value: unknown, type: FieldType): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  const isInteger = type.kind === 'int32' || type.kind === 'int64' || type.kind === 'intOrString'
  return typeof value === 'number' && isInteger ? `number ${value}` : typeof value
}

/** What a null in a list or a map stands for. */
function zeroValue(type: FieldType): unknown {
  switch (type.kind) {
    case 'string':
      return ''
    case 'int32':
    case 'int64':
    case 'number':
      return 0
    case 'bool':
      return false
    case 'quantity':
      return '0'
    case 'struct':
      return {}
    default:
      return null
  }
}

/** A copy without `undefined` fields. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(kept.map(([field, entry]) => [field, copied(entry)]))
}

/** The name of a field, the index of a list's element, or the key of a map in brackets: `[app]`. */
type Step = string | number

function isField(step: Step): step is string {
  return typeof step === 'string' && !step.startsWith('[')
}

function pathOf(steps: readonly Step[]): string {
  const parts = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return isField(step) ? `.${step}` : step
  })
  return parts.join('').replace(/^\./, '')
}

/** Walks one value. Where it is, it writes down as text only when there is something to say about it. */
class ObjectDecoder {
  readonly #schemaOf: (name: string) => ApiSchema
  readonly problems: FieldProblem[] = []
  readonly unknownFields: string[] = []
  readonly #steps: Step[] = []
  #struct = ''
  #field: FieldSchema | undefined
  #error: string | undefined
  #isOver = false
  /** How many steps lead to the struct's field that is being read: Go does not name what lies inside of it. */
  #depth = 0

  constructor(schemaOf: (name: string) => ApiSchema) {
    this.#schemaOf = schemaOf
  }

  /** What an API server would answer. */
  get error(): string | undefined {
    return this.#error
  }

  struct(schema: ApiSchema, value: JsonObject): Record<string, unknown> {
    const outer = this.#struct
    const outerDepth = this.#depth
    this.#struct = schema.name
    this.#depth = this.#steps.length + 1
    const object: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const field = schema.fields.get(name)
      if (field === undefined) this.unknownFields.push(pathOf([...this.#steps, name]))
      else {
        const decoded = this.#fieldValue(name, field, value[name])
        if (decoded !== undefined) object[name] = decoded
      }
    }
    this.#struct = outer
    this.#depth = outerDepth
    return object
  }

  #fieldValue(name: string, field: FieldSchema, value: unknown): unknown {
    if (value === null || value === undefined) return undefined
    const { type } = field
    // Most fields are of these two.
    if (type.kind === 'string' && typeof value === 'string') return value
    if (type.kind === 'bool' && typeof value === 'boolean') return value
    const outer = this.#field
    this.#field = field
    const decoded = this.#at(name, type, value)
    this.#field = outer
    return decoded
  }

  #at(step: Step, type: FieldType, value: unknown): unknown {
    this.#steps.push(step)
    const decoded = value === null ? zeroValue(type) : this.#value(type, value)
    this.#steps.pop()
    return decoded
  }

  #value(type: FieldType, value: unknown): unknown {
    switch (type.kind) {
      case 'struct': {
        const schema = this.#schemaOf(type.name)
        if (schema.isAny || takesEverything.has(schema.name)) return copied(value)
        return isJsonObject(value) ? this.struct(schema, value) : this.#mismatch(value, type)
      }
      case 'list':
        if (!Array.isArray(value)) return this.#mismatch(value, type)
        return value.map((item: unknown, index) => this.#at(index, type.of, item))
      case 'map':
        if (!isJsonObject(value)) return this.#mismatch(value, type)
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, this.#at(`[${key}]`, type.of, item)]),
        )
      default:
        return this.#scalar(type, value)
    }
  }

  #scalar(type: { readonly kind: ScalarKind }, value: unknown): unknown {
    switch (type.kind) {
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(value, type)
      case 'int32':
        return isInteger(value, 2 ** 31) ? value : this.#mismatch(value, type)
      case 'int64':
        return isInteger(value, 2 ** 63) ? value : this.#mismatch(value, type)
      case 'number':
        return typeof value === 'number' ? value : this.#mismatch(value, type)
      case 'bool':
        return typeof value === 'boolean' ? value : this.#mismatch(value, type)
      case 'intOrString':
        if (typeof value === 'string' || isInteger(value, 2 ** 31)) return value
        return this.#mismatch(value, type, { isFinal: true })
      case 'quantity':
        // YAML makes numbers of `cpu: 1`; the API keeps quantities as text.
        return this.#checked(String(value), quantityProblem(value), { isFinal: true })
      case 'bytes':
        return this.#text(value, type, base64Problem, { isFinal: false })
      case 'time':
        return this.#text(value, type, timeProblem, { isFinal: true })
      case 'microTime':
        return this.#text(value, type, microTimeProblem, { isFinal: true })
      case 'object':
      case 'any':
        return copied(value)
      default:
        return assertNever(type.kind, 'scalar')
    }
  }

  #text(
    value: unknown,
    type: FieldType,
    problemOf: (text: string) => string | undefined,
    options: { readonly isFinal: boolean },
  ): unknown {
    if (typeof value !== 'string') return this.#mismatch(value, type, options)
    return this.#checked(value, problemOf(value), options)
  }

  #checked(
    value: string,
    problem: string | undefined,
    options: { readonly isFinal: boolean },
  ): string | undefined {
    return problem === undefined ? value : this.#refuse(problem, options)
  }

  /** Go names the field with its struct and without indexes. */
  #mismatch(value: unknown, type: FieldType, options = { isFinal: false }): undefined {
    const path = this.#steps.slice(0, this.#depth).filter(isField)
    const field = `${goName(this.#struct)}.${path.join('.')}`
    const named = this.#field === undefined ? goType(type) : goTypeIn(this.#field, type)
    const into = `Go struct field ${field} of type ${readFirst[type.kind] ?? named}`
    return this.#refuse(`json: cannot unmarshal ${jsonWord(value, type)} into ${into}`, options)
  }

  #refuse(message: string, { isFinal }: { readonly isFinal: boolean }): undefined {
    this.problems.push({ field: pathOf(this.#steps), message, reason: 'FieldValueTypeInvalid' })
    // A type's own decoder ends the decoding: its error is reported rather than the first one.
    if (isFinal && !this.#isOver) this.#error = message
    else this.#error ??= message
    this.#isOver ||= isFinal
    return undefined
  }
}

/**
 * A JSON value as an object of a schema: every field of the result has its type. Source: sigs.k8s.io/json. `schemaOf` finds the
 * schemas of inner objects.
 */
export function decodeAs(
  schema: ApiSchema,
  value: unknown,
  schemaOf: (name: string) => ApiSchema = schemaNamed,
): Decoded {
  const decoder = new ObjectDecoder(schemaOf)
  if (!isJsonObject(value)) {
    const message = `json: cannot unmarshal ${jsonWord(value, { kind: 'any' })} into Go value of type v1.${goName(schema.name)}`
    const problem = { field: '', message, reason: 'FieldValueTypeInvalid' } as const
    return { object: {}, problems: [problem], error: message, unknownFields: [] }
  }
  const object = decoder.struct(schema, value)
  const { problems, error, unknownFields } = decoder
  return { object, problems, error, unknownFields }
}
