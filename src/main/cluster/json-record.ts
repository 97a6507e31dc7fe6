/** Parsed JSON that is an object, to be read field by field. */
export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The field as an object; one without fields where it is something else or missing. */
export function recordAt(record: JsonRecord, field: string): JsonRecord {
  const value = record[field]
  return isRecord(value) ? value : {}
}

/** The field as a text; undefined where it is something else, missing or empty. */
export function textAt(record: JsonRecord, field: string): string | undefined {
  const value = record[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The objects of a list; anything else in it is left out. */
export function recordsAt(record: JsonRecord, field: string): readonly JsonRecord[] {
  const value = record[field]
  return Array.isArray(value) ? value.filter(isRecord) : []
}
