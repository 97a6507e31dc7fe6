import { assertNever } from '../../../shared/assert-never.ts'
import { isJsonObject } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject, KubeStatus } from '../../../shared/kubernetes/objects.ts'
import { schemaOfKind } from '../../../shared/kubernetes/schema/api-schema.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import {
  badRequest,
  invalidPatch,
  requestTimeout,
  requestTooLarge,
  serverError,
  unprocessable,
  unsupportedBody,
  unsupportedMediaType,
} from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import { jsonPatch, maxOperations, tooManyMoves } from '../patch/json-patch.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { strategicMerge } from '../patch/strategic-merge.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { patchedObjectFrom } from './body-decoder.ts'
import type { DecodedObject } from './body-decoder.ts'
import type { FieldValidation } from './list-options.ts'
import { strictPatchErrors } from './strict-errors.ts'

type Patched = ApiResult<JsonObject>

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return isJsonObject(value) ? 'object' : value === null ? 'null' : typeof value
}

function byOperations(original: JsonObject, body: unknown): Patched {
  if (!Array.isArray(body) || !body.every(isJsonObject)) {
    const message = `error decoding patch: json: cannot unmarshal ${goKind(body)} into Go value of type []handlers.jsonPatchOp`
    return err(badRequest(message))
  }
  if (body.length > maxOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${body.length}`
    return err(requestTooLarge(message))
  }
  const patched = jsonPatch(original, body)
  if (patched.ok) return patched
  return err(patched.error === tooManyMoves ? requestTimeout() : unprocessable())
}

function notAnObject(body: unknown): KubeStatus {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${goKind(body)} into Go value of type map[string]interface {}`,
  )
}

const noStrategic =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml'

/** The format of a patch. */
export type PatchType = 'apply' | 'json' | 'merge' | 'strategic'

/** The patch type of a request's content type. The error is the answer to an unsupported one. */
export function patchTypeOf(request: KubeRequest, type: ResourceType): ApiResult<PatchType> {
  const contentType = (request.headers?.['content-type'] ?? '').split(';', 1)[0]?.trim() ?? ''
  switch (contentType) {
    case 'application/json-patch+json':
      return ok('json')
    case 'application/merge-patch+json':
      return ok('merge')
    case 'application/strategic-merge-patch+json':
      return type.custom === undefined ? ok('strategic') : err(unsupportedBody(noStrategic))
    case 'application/apply-patch+yaml':
      return ok('apply')
    default:
      return err(unsupportedMediaType('415: Unsupported Media Type'))
  }
}

function patchedFields(
  type: ResourceType,
  original: JsonObject,
  body: unknown,
  patchType: Exclude<PatchType, 'apply'>,
): Patched {
  switch (patchType) {
    case 'json':
      return byOperations(original, body)
    case 'merge':
      return isJsonObject(body) ? ok(mergePatch(original, body)) : err(notAnObject(body))
    case 'strategic': {
      if (!isJsonObject(body)) return err(notAnObject(body))
      const merged = strategicMerge(original, body, schemaOfKind(type))
      return merged.ok ? merged : err(serverError(merged.error))
    }
    default:
      return assertNever(patchType, 'patch type')
  }
}

/** The patched object, decoded. The error is the answer. */
export function patchedObject(
  type: ResourceType,
  old: KubeObject,
  patch: { readonly type: Exclude<PatchType, 'apply'> } & Pick<KubeRequest, 'body' | 'bodyFields'>,
  validation: FieldValidation,
): ApiResult<DecodedObject> {
  const patched = patchedFields(type, { ...old }, patch.body, patch.type)
  if (!patched.ok) return patched
  const errorsOf = (unknown: readonly string[]) => strictPatchErrors(unknown, patch)
  const decoded = patchedObjectFrom(type, patched.value, { validation, errorsOf }, old)
  return decoded.ok ? decoded : err(invalidPatch(JSON.stringify(patched.value), decoded.error))
}
