import { goJson } from '../../../shared/go/json.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { Container } from '../../../shared/kubernetes/objects.ts'

/**
 * The UTF-8 bytes of a text; TextEncoder is not in the core's library. A lone low surrogate is the byte that it stands for in what
 * containers print.
 */
export function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f))
    else if (point >= 0xdc80 && point <= 0xdcff) bytes.push(point - 0xdc00)
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

const fnvBasis = 0x811c9dc5

/** FNV-1a of what was hashed before and then this text, which is ASCII. */
function fnv1a32(hash: number, text: string): number {
  let next = hash
  for (let at = 0; at < text.length; at++) {
    next = Math.imul(next ^ text.charCodeAt(at), 0x01000193)
  }
  return next
}

/** The checksum of a checkpoint file's data: the hash of what Go prints of this text (checkpointmanager/checksum). ASCII. */
export function textChecksum(text: string): number {
  return fnv1a32(fnvBasis, `(string)${goQuote(text)}`) >>> 0
}

/** The hash of what Go prints of these bytes, without making that text: it is made for every container at every sync. */
function hashOfPrint(bytes: readonly number[]): number {
  let hash = fnv1a32(fnvBasis, '([]uint8)[')
  for (const [at, byte] of bytes.entries()) {
    if (at > 0) hash = fnv1a32(hash, ' ')
    hash = fnv1a32(hash, String(byte))
  }
  return fnv1a32(hash, ']') >>> 0
}

/**
 * What a running container is compared by (containers#pod-actions): name and image, nothing else. 32-bit FNV-1a over
 * Go's print of the JSON's bytes, in hexadecimal, as `io.kubernetes.container.hash` carries it: the same
 * value as the kubelet's (HashContainer, v1.31 to v1.36).
 */
export function hashContainer(container: Container): string {
  let hash = hashes.get(container)
  if (hash === undefined) {
    hash = computedHash(container)
    hashes.set(container, hash)
  }
  return hash
}

/** Specs are never changed in place, and every sync compares every container. */
const hashes = new WeakMap<Container, string>()

function computedHash(container: Container): string {
  const json = goJson({ image: container.image ?? '', name: container.name })
  return hashOfPrint(utf8Bytes(json)).toString(16)
}
