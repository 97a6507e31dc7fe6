import { forbiddenField } from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { equalJson } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'

/** The fields that a refused update changes, with a line for the old and a line for the new value. */
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

/** The problem of fields that an update may not change. `rule` is the first line of its message. */
export function changedFieldProblems(
  field: string,
  next: JsonObject,
  old: JsonObject,
  rule: string,
): FieldProblems {
  if (equalJson(next, old)) return []
  return [forbiddenField(field, `${rule}\n${specDifference(next, old)}`)]
}
