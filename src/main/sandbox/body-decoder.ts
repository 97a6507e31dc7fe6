import { isJsonObject, objectAt, textAt } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../shared/kubernetes/objects.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { badRequest, unsupportedMediaType } from './api-status.ts'
import { groupVersion } from './resource-types.ts'
import type { ResourceType } from './resource-types.ts'
import type { FieldValidation } from './list-options.ts'
import { strategyOf } from './strategies.ts'
import { decodeBySchema } from './surface/schema/decode-by-schema.ts'

function bareVersion(apiVersion: string): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
}

function kindRefusal(type: ResourceType, body: JsonObject): string | undefined {
  const kind = textAt(body, 'kind')
  const apiVersion = textAt(body, 'apiVersion')
  if (kind === '' || apiVersion === '') return undefined
  const version = bareVersion(apiVersion)
  const prefix = `${kind} in version "${version}" cannot be handled as a ${type.kind}:`
  if (kind !== type.kind) {
    return `${prefix} converting (${version}.${kind}) to (core.${type.kind}): unknown conversion`
  }
  if (apiVersion === groupVersion(type)) return undefined
  return `${prefix} no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:110"`
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'empty'
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
}

/** An object as it came in, and what there is to say about how it came. */
export interface DecodedObject {
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

/**
 * Reads the object in the body of a create or an update: its kind, its types, what decoding fills in.
 * Name and uid may still be missing. The error is the answer.
 */
export function decodeObject(
  type: ResourceType,
  body: unknown,
  validation: FieldValidation,
): Result<DecodedObject, KubeStatus> {
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
        `the object provided is unrecognized (must be of type ${type.kind}): couldn't get version/kind; the body is ${kindOf(body)}`,
      ),
    )
  }
  const refusal = kindRefusal(type, body)
  if (refusal !== undefined) return err(badRequest(refusal))
  const decoded = objectFrom(type, body, validation)
  if (decoded.ok) return decoded
  const message = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${decoded.error}`
  return err(badRequest(message))
}

/**
 * A value as an object of its type; the error says why it is none. Fields that are those of `stored`, the
 * very same and not only equal, were decoded when they came in, and are taken over as they are.
 */
export function objectFrom(
  type: ResourceType,
  value: JsonObject,
  validation: FieldValidation,
  stored?: KubeObject,
): Result<DecodedObject, string> {
  const changed = stored === undefined ? value : changedFields(value, stored)
  const problem = strategyOf(type).decodeProblems(changed)[0]
  if (problem !== undefined) return err(problem.message)
  const decoded = decodeBySchema(type.kind, changed)
  if (!decoded.ok) return decoded
  const unknown = decoded.value.unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`)
  if (unknown.length > 0 && validation === 'Strict') {
    return err(`strict decoding error: ${unknown.join(', ')}`)
  }
  const object = completed(type, decoded.value.object)
  return ok({
    object: stored === undefined ? object : withStored(object, value, stored),
    warnings: validation === 'Ignore' ? [] : unknown,
  })
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
  return strategyOf(type).withDefaults(object as unknown as KubeObject)
}
