import { base64Bytes } from '../../../shared/base64.ts'
import { numberAt, objectsAt, ownField, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { ConfigMap, Secret } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { FileProjection, Payload } from './file-projection.ts'

/** What the API server sets where a volume says no mode. */
export const defaultFileMode = 0o644

type Data = ReadonlyMap<string, FileProjection['data']>

/** A ConfigMap's values by key: binary ones win. */
export function configMapData(configMap: Pick<ConfigMap, 'data' | 'binaryData'>): Data {
  const data = new Map<string, FileProjection['data']>()
  for (const [key, value] of Object.entries(configMap.data ?? {})) data.set(key, value)
  for (const [key, value] of Object.entries(configMap.binaryData ?? {}))
    data.set(key, base64Bytes(value))
  return data
}

/** A Secret's values by key. */
export function secretData({ data = {} }: Pick<Secret, 'data'>): Data {
  return new Map(Object.entries(data).map(([key, value]) => [key, base64Bytes(value)]))
}

/**
 * The files of a ConfigMap or Secret: all keys, or those that `items` name. `missing` words the error for a key that is
 * not there; with `optional` it is left out. Source: MakePayload of pkg/volume/configmap and pkg/volume/secret.
 */
export function objectPayload(
  data: Data,
  source: JsonObject,
  defaultMode: number,
  missing: (key: string) => string,
): Result<Payload, string> {
  const items = objectsAt(source, 'items')
  if (items.length === 0)
    return ok(new Map([...data].map(([key, value]) => [key, { data: value, mode: defaultMode }])))
  const payload = new Map<string, FileProjection>()
  for (const item of items) {
    const key = textAt(item, 'key')
    const value = data.get(key)
    if (value === undefined && ownField(source, 'optional') === true) continue
    if (value === undefined) return err(missing(key))
    payload.set(textAt(item, 'path'), { data: value, mode: numberAt(item, 'mode') ?? defaultMode })
  }
  return ok(payload)
}
