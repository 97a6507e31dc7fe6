import type { JsonObject } from '../../../../shared/json.ts'
import { dumpPodTemplate } from './go-dump.ts'

const offsetBasis = 0x811c9dc5
const prime = 0x01000193

/** Go's hash/fnv New32a over UTF-8 text and bytes. */
function fnv32a(...parts: readonly (string | Uint8Array)[]): number {
  let hash = offsetBasis
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    for (const byte of bytes) hash = Math.imul(hash ^ byte, prime)
  }
  return hash >>> 0
}

/** Go's hash/fnv New32: multiplies first. */
export function fnv32(text: string): number {
  let hash = offsetBasis
  for (const byte of Buffer.from(text)) hash = Math.imul(hash, prime) ^ byte
  return hash >>> 0
}

const alphanums = 'bcdfghjklmnpqrstvwxz2456789'

/** apimachinery util/rand SafeEncodeString. */
export function safeEncode(text: string): string {
  return Array.from(text, (char) => alphanums[char.charCodeAt(0) % alphanums.length] ?? '').join('')
}

/** The label `pod-template-hash`. Source: pkg/controller/controller_utils.go ComputeHash (v1.34). */
export function podTemplateHash(template: JsonObject, collisionCount: number | undefined): string {
  const count = Buffer.alloc(8)
  count.writeUInt32LE(collisionCount ?? 0)
  const parts = collisionCount === undefined ? [] : [count]
  return safeEncode(String(fnv32a(dumpPodTemplate(template), ...parts)))
}
