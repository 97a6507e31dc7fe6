import type { Random } from '../kubelet/ports.ts'

function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** A random UID (RFC 4122 version 4), drawn from the seed. */
export function newUid(random: Random): string {
  const bytes = Array.from({ length: 16 }, () => Math.floor(random.next() * 256))
  // Version and variant have fixed bits.
  const hex = bytes
    .with(6, ((bytes[6] ?? 0) & 0x0f) | 0x40)
    .with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80)
    .map(hexByte)
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

// Without vowels and similar characters: k8s.io/apimachinery/pkg/util/rand.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const longestPrefix = 63 - suffixLength

/** A name with the prefix of `generateName`. */
export function generatedName(prefix: string, random: Random): string {
  const letter = (): string => nameAlphabet[Math.floor(random.next() * nameAlphabet.length)] ?? 'x'
  const suffix = Array.from({ length: suffixLength }, letter).join('')
  return prefix.slice(0, longestPrefix) + suffix
}
