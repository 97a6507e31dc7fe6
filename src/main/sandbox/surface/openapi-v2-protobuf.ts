import { isJsonObject, listAt, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** The v2 document in protobuf. Source: google/gnostic-models openapiv2/OpenAPIv2.proto; the numbers are those of its fields. */

type Part = readonly Uint8Array[]

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Uint8Array.from([...bytes, rest])
}

/** A field with text or a message. */
function field(number: number, content: Part | string): Part {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.concat(content)
  return [varint(number * 8 + 2), varint(bytes.length), bytes]
}

function flag(number: number, value: unknown): Part {
  return value === true ? [varint(number * 8), varint(1)] : []
}

function text(number: number, object: JsonObject, name: string): Part {
  const value = textAt(object, name)
  return value === '' ? [] : field(number, value)
}

function texts(number: number, values: readonly unknown[]): Part {
  return values.flatMap((value) => (typeof value === 'string' ? field(number, value) : []))
}

/** gnostic's Any: a value as YAML, of which JSON is a part. */
function any(value: unknown): Part {
  return field(2, JSON.stringify(value))
}

/** A map as a list of names and values. */
function named(number: number, object: JsonObject, write: (value: JsonObject) => Part): Part {
  return Object.entries(object).flatMap(([name, value]) =>
    field(number, [...field(1, name), ...field(2, isJsonObject(value) ? write(value) : [])]),
  )
}

function extensions(number: number, object: JsonObject): Part {
  return Object.entries(object)
    .filter(([name]) => name.startsWith('x-'))
    .flatMap(([name, value]) => field(number, [...field(1, name), ...field(2, any(value))]))
}

function schema(object: JsonObject): Part {
  const { items, additionalProperties, properties, type } = object
  return [
    ...text(1, object, '$ref'),
    ...text(2, object, 'format'),
    ...text(4, object, 'description'),
    ...texts(19, listAt(object, 'required')),
    ...listAt(object, 'enum').flatMap((value) => field(20, any(value))),
    ...(isJsonObject(additionalProperties)
      ? field(21, field(1, schema(additionalProperties)))
      : []),
    ...(typeof type === 'string' ? field(22, field(1, type)) : []),
    ...(isJsonObject(items) ? field(23, field(1, schema(items))) : []),
    ...(isJsonObject(properties) ? field(25, named(1, properties, schema)) : []),
    ...extensions(31, object),
  ]
}

function bodyParameter(parameter: JsonObject): Part {
  return [
    ...text(2, parameter, 'name'),
    ...text(3, parameter, 'in'),
    ...flag(4, parameter['required']),
    ...field(5, schema(objectAt(parameter, 'schema'))),
  ]
}

function queryParameter(parameter: JsonObject): Part {
  return [
    ...text(2, parameter, 'in'),
    ...text(4, parameter, 'name'),
    ...text(6, parameter, 'type'),
    ...flag(20, parameter['uniqueItems']),
  ]
}

/** As ParametersItem. */
function parameter(one: JsonObject): Part {
  const isBody = one['in'] === 'body'
  return field(1, isBody ? field(1, bodyParameter(one)) : field(2, field(3, queryParameter(one))))
}

function operation(one: JsonObject): Part {
  const responses = named(1, objectAt(one, 'responses'), (response) =>
    field(1, text(1, response, 'description')),
  )
  return [
    ...texts(7, listAt(one, 'consumes')),
    ...objectsAt(one, 'parameters').flatMap((each) => field(8, parameter(each))),
    ...field(9, responses),
    ...extensions(13, one),
  ]
}

const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const

function pathItem(item: JsonObject): Part {
  return Object.entries(methods).flatMap(([method, number]) => {
    const one = item[method]
    return isJsonObject(one) ? field(number, operation(one)) : []
  })
}

/** The document as gnostic's openapi.v2.Document. */
export function openApiV2Bytes(document: {
  readonly swagger: string
  readonly info: JsonObject
  readonly paths: JsonObject
  readonly definitions: JsonObject
}): Uint8Array {
  const { swagger, info, paths, definitions } = document
  return Buffer.concat([
    ...field(1, swagger),
    ...field(2, [...text(1, info, 'title'), ...text(2, info, 'version')]),
    ...field(8, named(2, paths, pathItem)),
    ...field(9, named(1, definitions, schema)),
  ])
}
