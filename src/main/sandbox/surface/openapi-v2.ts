import { defined, isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { openApiV2Bytes } from './openapi-v2-protobuf.ts'

/** An OpenAPI v3 document of one group and version. */
export interface OpenApiDocument {
  readonly paths: JsonObject
  readonly components: { readonly schemas: JsonObject }
}

/** The v2 document: all groups and versions in one. */
interface OpenApiV2Document {
  readonly swagger: '2.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: JsonObject
  readonly definitions: JsonObject
}

const v3References = '#/components/schemas/'

function reference(to: string): JsonObject {
  return { $ref: `#/definitions/${to.slice(v3References.length)}` }
}

/** What v2 has no word for: several types. Source: kube-openapi ToProto, builder3 to builder. */
const unions: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: 'string', format: 'int-or-string' },
}

/** A schema of v3 in the words of v2, which has no defaults here. */
function v2Schema(schema: JsonObject): JsonObject {
  const [target] = objectsAt(schema, 'allOf')
  const to = textAt(target ?? schema, '$ref')
  const { allOf: _, default: __, properties, items, additionalProperties, ...others } = schema
  const { anyOf: ___, oneOf: ____, not: _____, nullable: ______, ...rest } = others
  if (to !== '') return { ...rest, ...reference(to) }
  // kubectl would take the fields that are listed for all that there are.
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return rest
  return defined({
    ...rest,
    properties: isJsonObject(properties)
      ? Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [
            name,
            v2Schema(isJsonObject(one) ? one : {}),
          ]),
        )
      : undefined,
    items: isJsonObject(items) ? v2Schema(items) : undefined,
    additionalProperties: isJsonObject(additionalProperties)
      ? v2Schema(additionalProperties)
      : undefined,
  })
}

function v2Parameter(parameter: JsonObject): JsonObject {
  const { schema: _, ...rest } = parameter
  return { ...rest, ...objectAt(parameter, 'schema') }
}

function v2Operation(operation: JsonObject): JsonObject {
  const { requestBody, parameters: _, ...rest } = operation
  const content = isJsonObject(requestBody) ? objectAt(requestBody, 'content') : {}
  const consumes = Object.keys(content)
  const [body] = Object.values(content).filter(isJsonObject)
  const schema = body === undefined ? undefined : v2Schema(objectAt(body, 'schema'))
  const bodies = schema === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema }]
  const parameters = [...bodies, ...objectsAt(operation, 'parameters').map(v2Parameter)]
  return {
    ...(consumes.length === 0 ? {} : { consumes }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...rest,
  }
}

function mapped(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, change(isJsonObject(value) ? value : {})]),
  )
}

/** All documents as one of v2. */
export function openApiV2Document(
  documents: readonly OpenApiDocument[],
  version: string,
): OpenApiV2Document {
  const paths: Record<string, JsonObject> = {}
  const definitions: Record<string, JsonObject> = {}
  for (const document of documents) {
    for (const [path, item] of Object.entries(document.paths))
      paths[path] = mapped(isJsonObject(item) ? item : {}, v2Operation)
    for (const [name, schema] of Object.entries(document.components.schemas))
      definitions[name] = unions[name] ?? v2Schema(isJsonObject(schema) ? schema : {})
  }
  const info = { title: 'Nodescope sandbox', version }
  return { swagger: '2.0', info, paths, definitions }
}

// With a dot before v1.0: kubectl cannot parse the @ that gnostic writes.
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/** /openapi/v2, in JSON or in the protobuf that kubectl asks for. `document` is made at the first request. */
export function openApiV2Response(
  request: KubeRequest,
  document: () => OpenApiV2Document,
): KubeResponse | undefined {
  if (request.method !== 'GET' || request.path !== '/openapi/v2') return undefined
  if ((request.headers?.['accept'] ?? '').includes('protobuf')) {
    const body = openApiV2Bytes(document())
    return { kind: 'text', status: 200, body, contentType: protobufType }
  }
  return { kind: 'object', status: 200, body: document() }
}
