import { aggregateText } from '../../../shared/go/text.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fieldPathValue } from '../pod/field-path.ts'
import { podResourceValue } from '../pod/resource-field.ts'
import type { ResourceList } from '../pod/resource-field.ts'
import type { FileProjection, Payload } from './file-projection.ts'
import { cleanPath } from './path.ts'

function valueOf(item: JsonObject, pod: Pod, allocatable: ResourceList): Result<string, string> {
  if (isJsonObject(item['fieldRef']))
    return fieldPathValue(pod, textAt(objectAt(item, 'fieldRef'), 'fieldPath'))
  if (!isJsonObject(item['resourceFieldRef'])) return ok('')
  return podResourceValue(objectAt(item, 'resourceFieldRef'), pod, allocatable)
}

/** The files of a downward API volume. `allocatable`: of the node. Source: pkg/volume/downwardapi CollectData. */
export function downwardApiPayload(
  items: readonly JsonObject[],
  pod: Pod,
  allocatable: ResourceList,
  defaultMode: number,
): Result<Payload, string> {
  const payload = new Map<string, FileProjection>()
  const errors: string[] = []
  for (const item of items) {
    const value = valueOf(item, pod, allocatable)
    if (!value.ok) errors.push(value.error)
    const mode = numberAt(item, 'mode') ?? defaultMode
    payload.set(cleanPath(textAt(item, 'path')), { data: value.ok ? value.value : '', mode })
  }
  const error = aggregateText(errors)
  return error === undefined ? ok(payload) : err(error)
}
