import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { badRequest, unsupportedMediaType } from '../api-status.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { FieldValidation } from './list-options.ts'
import { strictErrors } from './strict-errors.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import type { ApiSchema, GroupVersionKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../shared/kubernetes/schema/decode.ts'

/** The versions of the API that evictions have had; all of them are read as the present one. */
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

function kindOf(value: unknown): string {
  if (value === undefined) return 'empty'
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
}

function schemaOf(kind: GroupVersionKind): ApiSchema {
  const schema = schemaOfKind(kind)
  if (schema === undefined) throw new Error(`api-schemas.json has no schema of ${kind.kind}`)
  return schema
}

/** A value as it came in, and what there is to say about how it came. */
export interface DecodedBody<T> {
  readonly object: T
  readonly warnings: readonly string[]
}

/** An object as it came in. Name and uid may still be missing. */
export type DecodedObject = DecodedBody<KubeObject>

/** How strictly a value is read, and what there is to say of it, given its unknown fields. */
export interface StrictDecoding {
  readonly validation: FieldValidation
  readonly errorsOf: (unknownFields: readonly string[]) => readonly string[]
}

function decoded(
  kind: GroupVersionKind,
  value: JsonObject,
  { validation, errorsOf }: StrictDecoding,
): Result<DecodedBody<JsonObject>, string> {
  const { object, error, unknownFields } = decodeAs(schemaOf(kind), value)
  if (error !== undefined) return err(error)
  const warnings = validation === 'Ignore' ? [] : errorsOf(unknownFields)
  if (warnings.length === 0 || validation !== 'Strict') return ok({ object, warnings })
  return err(`strict decoding error: ${warnings.join(', ')}`)
}

/** Reads the body of a request as a kind: its types, its fields. The error is the answer. */
export function decodeBody(
  kind: GroupVersionKind,
  { body, bodyFields }: Pick<KubeRequest, 'body' | 'bodyFields'>,
  validation: FieldValidation,
): Result<DecodedBody<JsonObject>, KubeStatus> {
  if (body instanceof Uint8Array) {
    return err(
      unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
      ),
    )
  }
  if (!isJsonObject(body)) {
    return err(
      badRequest(
        `the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind; the body is ${kindOf(body)}`,
      ),
    )
  }
  const refusal = kindRefusal(kind, body)
  if (refusal !== undefined) return err(badRequest(refusal))
  const errorsOf = (unknown: readonly string[]) => strictErrors(unknown, bodyFields)
  const value = decoded(kind, body, { validation, errorsOf })
  if (value.ok) return value
  const message = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${value.error}`
  return err(badRequest(message))
}

/** Reads the object in the body of a create or an update, with what decoding fills in. The error is the answer. */
export function decodeObject(
  type: ResourceType,
  request: Pick<KubeRequest, 'body' | 'bodyFields'>,
  validation: FieldValidation,
): Result<DecodedObject, KubeStatus> {
  const body = decodeBody(type, request, validation)
  if (!body.ok) return body
  return ok({ ...body.value, object: completed(type, body.value.object) })
}

/**
 * A patched value as an object of its type; the error says why it is none. Fields that are those of `stored`, the
 * very same and not only equal, were decoded when they came in, and are taken over as they are.
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

/** The decoded object with what was not decoded again, in the order of the value. */
function withStored(object: KubeObject, value: JsonObject, stored: KubeObject): KubeObject {
  const all: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    if (isStored(part, name, stored)) all[name] = part
    else if (Object.hasOwn(object, name)) all[name] = object[name]
  }
  return { ...all, ...withoutFields(object, all), metadata: object.metadata }
}

function withoutFields(object: JsonObject, others: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(others, name)))
}

/** An object of the right types as it is stored: with kind, version and what decoding fills in. */
function completed(type: ResourceType, value: JsonObject): KubeObject {
  // Kept by field managers, which do not exist here; the link was given up long ago.
  const { managedFields: _, selfLink: __, ...metadata } = objectAt(value, 'metadata')
  const object = { ...value, kind: type.kind, apiVersion: groupVersion(type), metadata }
  // The strategy found every field of the right type; name and uid are given where they are needed.
  return type.strategy.withDefaults(object as unknown as KubeObject)
}
