import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import type { KubeRequest } from '../../../shared/kubernetes/request.ts'
import { ok } from '../../../shared/result.ts'
import type { ApiResult } from '../api-status.ts'
import { scaledManagers, scaleManagers } from '../apply/field-managers.ts'
import { appliedObject, fieldManagerOf, shapeOfType } from './apply-request.ts'
import { decodeObject } from './body-decoder.ts'
import type { RequestInfo } from './request-info.ts'
import { exchangedType, scaleOf } from './scale.ts'

/**
 * Server-side apply of the subresource `scale`: the scale, and the managed fields of the object that it scales. The error is the
 * answer.
 */
export function appliedScale(
  info: RequestInfo,
  request: KubeRequest,
  live: KubeObject,
  time: string,
): ApiResult<{ readonly object: KubeObject; readonly managedFields: readonly JsonObject[] }> {
  const { type, subresource } = info
  const shape = shapeOfType(type)
  const by = fieldManagerOf(info, request, 'Apply')
  const scale = scaleOf(type, live)
  const managedFields = scaleManagers(shape, live, by)
  const exchanged = { ...info, type: exchangedType(type, subresource) }
  const before = { ...scale, metadata: { ...scale.metadata, managedFields } }
  const applied = appliedObject(exchanged, request, before, time)
  if (!applied.ok) return applied
  const decoded = decodeObject(exchanged.type, { body: applied.value.object }, 'Ignore')
  if (!decoded.ok) return decoded
  const { managedFields: _, ...metadata } = decoded.value.object.metadata
  return ok({
    object: { ...decoded.value.object, metadata },
    managedFields: scaledManagers(shape, live, by, applied.value.managedFields),
  })
}
