import { bytesOfText, textOfBytes } from '../../../../files/byte-text.ts'
import type { Input } from '../../process/byte-streams.ts'
import type { Running } from '../../process/running.ts'
import { nextText } from '../text-input.ts'
import type { TarEntry, TarHeader } from './tar-header.ts'
import { blockBytes, headerOf, kindOf, paxRecordsOf } from './tar-header.ts'

/** Takes bytes from an input, however they come. */
class ByteReader {
  readonly #input: Input
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(input: Input) {
    this.#input = input
  }

  /** Fewer at the end. */
  *take(count: number): Running<Uint8Array> {
    while (this.#length < count) {
      const text = yield* nextText(this.#input)
      if (text === undefined) break
      const piece = bytesOfText(text)
      this.#pieces.push(piece)
      this.#length += piece.length
    }
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = [bytes.subarray(count)]
    this.#length = Math.max(0, bytes.length - count)
    return bytes.subarray(0, count)
  }
}

/** Why an archive cannot be read further, in busybox's words. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}

/** Names and times that headers before an entry's own have for it. */
type Extended = Partial<Pick<TarHeader, 'name' | 'target' | 'sizeBytes' | 'modifiedAt'>>

function extendedBy(type: string, data: Uint8Array): Extended | undefined {
  const text = (): string => textOfBytes(data).replace(/\0.*$/s, '')
  if (type === 'L') return { name: text() }
  if (type === 'K') return { target: text() }
  if (type === 'g') return {}
  if (type !== 'x') return undefined
  const records = paxRecordsOf(data)
  const [path, linkPath] = [records.get('path'), records.get('linkpath')]
  const [size, modified] = [records.get('size'), records.get('mtime')]
  return {
    ...(path === undefined ? {} : { name: path }),
    ...(linkPath === undefined ? {} : { target: linkPath }),
    ...(size === undefined ? {} : { sizeBytes: Number(size) }),
    ...(modified === undefined ? {} : { modifiedAt: Number(modified) * 1000 }),
  }
}

/** Reads an archive entry by entry. Throws BrokenArchive. */
export class TarReader {
  readonly #bytes: ByteReader

  constructor(input: Input) {
    this.#bytes = new ByteReader(input)
  }

  /** The next entry with its data; undefined at the end. */
  *next(): Running<{ readonly entry: TarEntry; readonly data: Uint8Array } | undefined> {
    let extended: Extended = {}
    for (;;) {
      const read = yield* this.#header()
      if (read === undefined) return undefined
      const header = { ...read, ...extended }
      const data = yield* this.#data(header.sizeBytes)
      const more = extendedBy(header.type, data)
      if (more !== undefined) {
        extended = { ...extended, ...more }
        continue
      }
      const isFolder = header.name.endsWith('/') && kindOf(header.type) === 'file'
      const kind = isFolder ? 'folder' : kindOf(header.type)
      if (kind === undefined) throw new BrokenArchive(`unknown typeflag: 0x${hex(header.type)}`)
      return { entry: { ...header, kind }, data }
    }
  }

  *#header(): Running<TarHeader | undefined> {
    const block = yield* this.#bytes.take(blockBytes)
    if (block.length < blockBytes) throw new BrokenArchive('short read')
    if (block.every((byte) => byte === 0)) {
      // What fills the last record is read too, so that who writes it does not fail.
      while ((yield* this.#bytes.take(blockBytes)).length > 0);
      return undefined
    }
    const header = headerOf(block)
    if (header === undefined) throw new BrokenArchive('invalid tar magic')
    return header
  }

  *#data(sizeBytes: number): Running<Uint8Array> {
    const length = Math.ceil(sizeBytes / blockBytes) * blockBytes
    const data = yield* this.#bytes.take(length)
    if (data.length < length) throw new BrokenArchive('short read')
    return data.subarray(0, sizeBytes)
  }
}

function hex(type: string): string {
  return type.charCodeAt(0).toString(16)
}
