import type { JsonObject } from '../../../shared/json.ts'
import { isJsonObject, objectAt } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import {
  badRequest,
  invalid,
  methodNotAllowed,
  notFound,
  statusResponse,
  waitTimeout,
} from '../api-status.ts'
import type { ApiResult } from '../api-status.ts'
import type { Representation } from '../endpoints/representation.ts'
import type { RequestInfo } from '../endpoints/request-info.ts'
import { mergePatch } from '../patch/merge-patch.ts'
import { groupVersion } from '../registry/resource-type.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { controlName } from './control-types.ts'
import { controlWatch } from './control-watch.ts'

/** Spec and status of the only object of a kind. */
export interface Controlled {
  readonly spec: JsonObject
  readonly status: JsonObject
}

/** Why a spec is not taken: the field, and a sentence. `timeout`: it was taken, and what it waits for did not come. */
export interface ControlProblem {
  readonly kind: 'invalid' | 'timeout'
  readonly field: string
  readonly message: string
}

/** One object of nodescope.dev. */
export interface ControlledObject {
  readonly read: () => Controlled
  /** Carries out the spec as patched, or as a whole. */
  readonly write: (spec: JsonObject) => Promise<Result<undefined, ControlProblem>>
}

/** By plural. */
export type ControlledObjects = Readonly<Record<string, ControlledObject>>

function requestedSpec(
  info: RequestInfo,
  request: KubeRequest,
  old: JsonObject,
): ApiResult<JsonObject> {
  const { body } = request
  if (!isJsonObject(body))
    return err(
      badRequest(`The body needs an object with spec; a JSON patch is not supported here.`),
    )
  const given = body['spec']
  if (!isJsonObject(given))
    return err(badRequest('The body needs the field spec, a map of fields.'))
  return ok(info.verb === 'patch' ? mergePatch(old, given) : given)
}

function objectOf(type: ResourceType, { spec, status }: Controlled): KubeObject {
  // Its UID never changes: there is one for the life of the sandbox.
  const metadata = { name: controlName, uid: `${type.plural}.${type.group}` }
  return { apiVersion: groupVersion(type), kind: type.kind, metadata, spec, status }
}

/** Answers a request for a kind of `controlTypes`. */
export async function controlResponse(
  objects: ControlledObjects,
  info: RequestInfo,
  request: KubeRequest,
  representation: Representation,
): Promise<KubeResponse> {
  const { type, verb, name } = info
  const object = objects[type.plural]
  if (object === undefined) return statusResponse(notFound(type, name))
  const read = (): KubeObject => objectOf(type, object.read())
  if (verb === 'list')
    return { kind: 'object', status: 200, body: representation.list([read()], {}) }
  if (verb === 'watch')
    return controlWatch(read, request, (kind, one) => representation.event(kind, one, []))
  if (name !== controlName) return statusResponse(notFound(type, name))
  if (verb === 'patch' || verb === 'update') {
    const spec = requestedSpec(info, request, objectAt(read(), 'spec'))
    if (!spec.ok) return statusResponse(spec.error)
    const written = await object.write(spec.value)
    if (!written.ok) return problemResponse(type, written.error)
  } else if (verb !== 'get') return statusResponse(methodNotAllowed())
  return { kind: 'object', status: 200, body: representation.object(read()) }
}

function problemResponse(type: ResourceType, problem: ControlProblem): KubeResponse {
  const { kind, field, message } = problem
  if (kind === 'timeout') return statusResponse(waitTimeout(message))
  // The field stands before the message.
  const own = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  const reason = 'FieldValueInvalid'
  return statusResponse(invalid(type, controlName, [{ field, reason, message: own }]))
}
