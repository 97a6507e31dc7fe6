import { equalJson } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** The fields of a spec that a refused update would have changed, a line each for before and after. */
export function specDifference(
  next: JsonObject,
  old: JsonObject,
  isSame: (a: JsonObject, b: JsonObject) => boolean = equalJson,
): string {
  const fields = [...new Set([...Object.keys(old), ...Object.keys(next)])].toSorted()
  const lines = fields
    .filter((field) => !isSame({ [field]: next[field] }, { [field]: old[field] }))
    .flatMap((field) => [
      `-  ${field}: ${JSON.stringify(old[field] ?? null)}`,
      `+  ${field}: ${JSON.stringify(next[field] ?? null)}`,
    ])
  return lines.join('\n')
}
