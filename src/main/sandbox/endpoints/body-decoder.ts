import { isJsonObject, objectAt, textAt, withFields } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import type { ApiSchema, GroupVersionKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'
import { invalidField } from '../../../shared/kubernetes/validation/field-problem.ts'
import { badRequest, invalid, unsupportedBody } from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { FieldValidation } from './list-options.ts'
import { customStrictErrors, strictErrors } from './strict-errors.ts'

/** Former API versions of evictions. They are read as the current version. */
const formerVersions: ReadonlySet<string> = new Set(['policy/v1beta1'])

/** `core`, `rbac`: the group in the server's own types. */
function internalGroup({ group }: GroupVersionKind): string {
  return group === '' ? 'core' : (group.split('.', 1)[0] ?? group)
}

function kindRefusal(type: GroupVersionKind, body: JsonObject): string | undefined {
  const kind = textAt(body, 'kind') || type.kind
  const apiVersion = textAt(body, 'apiVersion') || groupVersion(type)
  const isSame = apiVersion === groupVersion(type) || formerVersions.has(apiVersion)
  if (kind === type.kind && isSame) return undefined
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const prefix = `${kind} in version "${version}" cannot be handled as a ${type.kind}:`
  if (schemaOfKind({ group, version, kind }) === undefined) {
    return `${prefix} no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`
  }
  return `${prefix} converting (${version}.${kind}) to (${internalGroup(type)}.${type.kind}): unknown conversion`
}

/** The decoder of custom kinds is another one, with words of its own. */
function customRefusal(type: GroupVersionKind, body: JsonObject): KubeStatus | string | undefined {
  const kind = textAt(body, 'kind')
  const apiVersion = textAt(body, 'apiVersion')
  const expected = groupVersion(type)
  if (kind === '') {
    const text = JSON.stringify(body)
    return `the object provided is unrecognized (must be of type ${type.kind}): Object 'Kind' is missing in '${text}' (${text})`
  }
  if (apiVersion !== expected)
    return `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`
  if (kind === type.kind) return undefined
  const problem = invalidField('kind', kind, `must be ${type.kind}`)
  const name = textAt(objectAt(body, 'metadata'), 'name')
  return invalid({ group: type.group, plural: '', kind }, name, [problem])
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'empty'
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
}

function schemaOf(kind: GroupVersionKind): ApiSchema {
  const schema = schemaOfKind(kind)
  if (schema === undefined) throw new Error(`api-schemas.json has no schema of ${kind.kind}`)
  return schema
}

/** A decoded value, and the warnings about it. */
export interface DecodedBody<T> {
  readonly object: T
  readonly warnings: readonly string[]
}

/** A decoded object. Its name and UID can be missing. */
export type DecodedObject = DecodedBody<KubeObject>

/** The field validation, and the strict errors of a value with these unknown fields. */
export interface StrictDecoding {
  readonly validation: FieldValidation
  readonly errorsOf: (unknownFields: readonly string[]) => readonly string[]
}

/** A kind of Kubernetes, or a custom one, which brings its decoder. */
type DecodedKind = GroupVersionKind & Pick<ResourceType, 'custom'>

function decoded(
  kind: DecodedKind,
  value: JsonObject,
  { validation, errorsOf }: StrictDecoding,
): Result<DecodedBody<JsonObject>, string> {
  const { object, error, unknownFields } =
    kind.custom === undefined ? decodeAs(schemaOf(kind), value) : kind.custom.decode(value)
  if (error !== undefined) return err(error)
  const warnings = validation === 'Ignore' ? [] : errorsOf(unknownFields)
  if (warnings.length === 0 || validation !== 'Strict') return ok({ object, warnings })
  return err(`strict decoding error: ${warnings.join(', ')}`)
}

/** Decodes the body of a request as a kind. The error is the answer. */
export function decodeBody(
  kind: DecodedKind,
  { body, bodyFields }: Pick<KubeRequest, 'body' | 'bodyFields'>,
  validation: FieldValidation,
): ApiResult<DecodedBody<JsonObject>> {
  if (body instanceof Uint8Array) {
    const message =
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml'
    return err(unsupportedBody(message))
  }
  if (!isJsonObject(body)) {
    const message = `the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind; the body is ${kindOf(body)}`
    return err(badRequest(message))
  }
  const refusal = kind.custom === undefined ? kindRefusal(kind, body) : customRefusal(kind, body)
  if (typeof refusal === 'string') return err(badRequest(refusal))
  if (refusal !== undefined) return err(refusal)
  const errorsOf = (unknown: readonly string[]) =>
    kind.custom === undefined
      ? strictErrors(unknown, bodyFields)
      : customStrictErrors(unknown, bodyFields)
  const value = decoded(kind, body, { validation, errorsOf })
  if (value.ok) return value
  const message = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${value.error}`
  return err(badRequest(message))
}

/** Decodes the object in the body of a create or an update, with its defaults. The error is the answer. */
export function decodeObject(
  type: ResourceType,
  request: Pick<KubeRequest, 'body' | 'bodyFields'>,
  validation: FieldValidation,
): ApiResult<DecodedObject> {
  const body = decodeBody(type, request, validation)
  if (!body.ok) return body
  return ok({ ...body.value, object: completed(type, body.value.object) })
}

/**
 * Decodes a patched value; the error says why it cannot be decoded. Fields that are identical to those of `stored` (not only
 * equal) are not decoded again.
 */
export function patchedObjectFrom(
  type: ResourceType,
  value: JsonObject,
  strict: StrictDecoding,
  stored: KubeObject,
): Result<DecodedObject, string> {
  const known = type.strategy.defaultsWholeObject ? undefined : stored
  const changed = decoded(type, known === undefined ? value : changedFields(value, known), strict)
  if (!changed.ok) return changed
  const { warnings } = changed.value
  const object = completed(type, changed.value.object)
  return ok({ object: known === undefined ? object : withStored(object, value, known), warnings })
}

function isStored(value: unknown, field: string, stored: KubeObject): boolean {
  return isJsonObject(value) && value === stored[field] && field !== 'metadata'
}

function changedFields(value: JsonObject, stored: KubeObject): JsonObject {
  const changed = Object.entries(value).filter(([name, part]) => !isStored(part, name, stored))
  return Object.fromEntries(changed)
}

/** The decoded object with the fields that were not decoded again, in the order of the value. */
function withStored(object: KubeObject, value: JsonObject, stored: KubeObject): KubeObject {
  const all: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    if (isStored(part, name, stored)) all[name] = part
    else if (Object.hasOwn(object, name)) all[name] = object[name]
  }
  return withFields(withFields(all, object), { ...all, metadata: object.metadata })
}

/** A decoded object with its kind, version and defaults. */
function completed(type: ResourceType, value: JsonObject): KubeObject {
  // Kubernetes removed self links.
  const { selfLink: _, ...metadata } = objectAt(value, 'metadata')
  const object = withFields(value, { kind: type.kind, apiVersion: groupVersion(type), metadata })
  // Decoding checked the types of the fields; name and UID are set where they are needed.
  return type.strategy.withDefaults(object as unknown as KubeObject)
}
