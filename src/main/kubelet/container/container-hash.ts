import type { Container } from '../../../shared/kubernetes/objects.ts'

/** The UTF-8 bytes of a text; TextEncoder is not in the core's library. */
export function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f))
    else if (point < 0x10000)
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f))
    else
      bytes.push(
        0xf0 | (point >> 18),
        0x80 | ((point >> 12) & 0x3f),
        0x80 | ((point >> 6) & 0x3f),
        0x80 | (point & 0x3f),
      )
  }
  return bytes
}

function fnv1a32(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of utf8Bytes(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

// encoding/json writes these as escapes, also inside strings.
const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
}

/**
 * What a running container is compared by (semantics 7.2): name and image, nothing else. 32-bit FNV-1a over
 * Go's print of the JSON's bytes, in hexadecimal, as `io.kubernetes.container.hash` carries it: the same
 * value as the kubelet's (HashContainer, v1.31 to v1.36).
 */
export function hashContainer(container: Container): string {
  const json = JSON.stringify({ image: container.image ?? '', name: container.name }).replace(
    /[<>&]/g,
    (character) => htmlEscapes[character] ?? character,
  )
  return fnv1a32(`([]uint8)[${utf8Bytes(json).join(' ')}]`).toString(16)
}
