import { crc32 } from 'node:zlib'
import { isJsonObject } from '../../shared/json.ts'
import type { JsonObject } from '../../shared/json.ts'

/** A checksum before the JSON of the entry, since LevelDB does not check the blocks that it reads. */
const digits = 8

/** What the database holds under a key, and its checksum, which the key is part of. */
export interface StateEntry {
  readonly text: string
  readonly checksum: number
}

function checksumOf(key: string, json: string): number {
  return crc32(json, crc32(`${key}\n`))
}

export function encodeEntry(key: string, value: unknown): StateEntry {
  const json = JSON.stringify(value)
  const checksum = checksumOf(key, json)
  return { text: checksum.toString(16).padStart(digits, '0') + json, checksum }
}

/** Undefined if the text is not what was written under this key. */
export function decodeEntry(
  key: string,
  text: string,
): { readonly value: JsonObject; readonly checksum: number; readonly size: number } | undefined {
  const json = text.slice(digits)
  const checksum = checksumOf(key, json)
  if (text.slice(0, digits) !== checksum.toString(16).padStart(digits, '0')) return undefined
  const value: unknown = JSON.parse(json)
  return isJsonObject(value) ? { value, checksum, size: json.length } : undefined
}
