import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'
import { requiredField } from '../../../shared/kubernetes/validation/field-problem.ts'
import { isOn } from '../../../shared/go/query.ts'
import { err, ok } from '../../../shared/result.ts'
import { applyConflict, badRequest, invalidOptions, serverError } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { listProblems } from '../apply/applied-lists.ts'
import { shapeOfKind } from '../apply/typed-value.ts'
import type { Shape } from '../apply/typed-value.ts'
import { applied } from '../apply/field-managers.ts'
import { withLastApplied } from '../apply/last-applied.ts'
import type { Applied, FieldManager } from '../apply/field-managers.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { RequestInfo } from './request-info.ts'

/** The manager of a request: what it names, or the program that sends it. Source: apiserver handlers managerOrUserAgent. */
export function fieldManagerOf(
  { type, subresource }: Pick<RequestInfo, 'type' | 'subresource'>,
  request: KubeRequest,
  operation: FieldManager['operation'],
): FieldManager {
  const named = request.query?.['fieldManager'] ?? ''
  const agent = (request.headers?.['user-agent'] ?? '').split('/', 1)[0] ?? ''
  const manager = named || agent || 'unknown'
  const hasStatus = type.subresources.some(({ name }) => name === 'status')
  const resets = type.custom !== undefined && subresource === '' && !hasStatus ? { resets: [] } : {}
  return { manager, operation, apiVersion: groupVersion(type), subresource, ...resets }
}

/** How the objects of a type are applied. */
export function shapeOfType(type: ResourceType): Shape {
  return type.custom?.shape ?? shapeOfKind(type)
}

/** A configuration as an object of its kind, or why it is not one. */
function typedConfiguration(
  type: ResourceType,
  body: JsonObject,
): { readonly object: JsonObject; readonly problem: string | undefined } {
  const lists = (): string | undefined => joined(listProblems(shapeOfType(type), body))
  if (type.custom !== undefined) {
    const { object, error } = type.custom.decode(body)
    return { object, problem: joined(type.custom.typedProblems(body)) ?? error ?? lists() }
  }
  const schema = schemaOfKind(type)
  if (schema === undefined) throw new Error(`api-schemas.json has no schema of ${type.kind}`)
  const { object, error, unknownFields } = decodeAs(schema, body)
  const [unknown] = unknownFields
  if (unknown === undefined) return { object, problem: error ?? lists() }
  return { object, problem: `.${unknown}: field not declared in schema` }
}

/** Source: structured-merge-diff typed ValidationErrors.Error. */
function joined(problems: readonly string[]): string | undefined {
  const [first] = problems
  return problems.length < 2 ? first : ['errors:', ...problems.map((one) => `  ${one}`)].join('\n')
}

function configurationOf(info: RequestInfo, request: KubeRequest): ApiResult<JsonObject> {
  const { type, namespace, name } = info
  const { body } = request
  if (!isJsonObject(body)) return err(badRequest('error decoding YAML: the body is not an object'))
  const version = textAt(body, 'apiVersion')
  const expected = groupVersion(type)
  const kind = textAt(body, 'kind')
  if (version === expected && kind !== type.kind)
    return err(badRequest(`invalid object type: ${type.group}/${type.version}, Kind=${kind}`))
  if (version !== expected) {
    const message = `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${expected}`
    return err(badRequest(message))
  }
  const metadata = objectAt(body, 'metadata')
  if (metadata['managedFields'] !== undefined)
    return err(badRequest('metadata.managedFields must be nil'))
  const named = textAt(metadata, 'name') || name
  if (named !== name) {
    const message = `the name of the object (${named}) does not match the name on the URL (${name})`
    return err(badRequest(message))
  }
  const { object, problem } = typedConfiguration(type, body)
  if (problem !== undefined) {
    const where = `${textAt(metadata, 'namespace')}/${named}; ${type.group}/${type.version}, Kind=${type.kind}`
    return err(serverError(`failed to create typed patch object (${where}): ${problem}`))
  }
  const place = namespace === '' ? {} : { namespace }
  return ok({ ...object, metadata: { ...objectAt(object, 'metadata'), name, ...place } })
}

/** A request of server-side apply: the resulting object and its managed fields. `time`: RFC 3339. The error is the answer. */
export function appliedObject(
  info: RequestInfo,
  request: KubeRequest,
  live: KubeObject | undefined,
  time: string,
): ApiResult<Applied> {
  if ((request.query?.['fieldManager'] ?? '') === '') {
    const problem = requiredField('fieldManager', 'is required for apply patch')
    return err(invalidOptions('PatchOptions', [problem]))
  }
  const configuration = configurationOf(info, request)
  if (!configuration.ok) return configuration
  const by = fieldManagerOf(info, request, 'Apply')
  const force = isOn(request.query?.['force'])
  const result = applied(shapeOfType(info.type), configuration.value, live, by, { force, time })
  if (!result.ok) return err(applyConflict(result.error))
  const { object, managedFields } = result.value
  const isOfKubectl = by.manager === 'kubectl' && isJsonObject(request.body)
  return ok(
    isOfKubectl ? { object: withLastApplied(object, request.body), managedFields } : result.value,
  )
}
