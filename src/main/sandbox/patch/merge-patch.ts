import { isJsonObject, ownField, setField } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

function merged(original: unknown, patch: unknown): unknown {
  return isJsonObject(patch) ? mergePatch(isJsonObject(original) ? original : {}, patch) : patch
}

/** Applies a JSON merge patch (RFC 7396): null deletes, objects are merged, everything else is replaced. */
export function mergePatch(original: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, unknown> = { ...original }
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field]
    else setField(result, field, merged(ownField(original, field), value))
  }
  return result
}
