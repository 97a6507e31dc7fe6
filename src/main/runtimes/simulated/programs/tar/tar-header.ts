import { bytesOfText, textOfBytes } from '../../../../files/byte-text.ts'

// The formats of tar as far as kubectl, GNU tar and busybox write them: ustar (POSIX.1-1988), pax (POSIX.1-2001) and GNU's long
// names. A library would read and write Node.js streams, which the simulated shell, a generator on a virtual clock, does not have.

export const blockBytes = 512

export type TarKind = 'file' | 'folder' | 'symlink' | 'link' | 'device'

/** What is in an archive. */
export interface TarEntry {
  readonly name: string
  readonly kind: TarKind
  readonly mode: number
  /** ms since the epoch. */
  readonly modifiedAt: number
  readonly sizeBytes: number
  /** Of a link. */
  readonly target: string
}

/** A header block as it is. */
export interface TarHeader extends Omit<TarEntry, 'kind'> {
  /** The type flag. */
  readonly type: string
}

const typeOfKind: Readonly<Record<TarKind, string>> = {
  file: '0',
  link: '1',
  symlink: '2',
  device: '3',
  folder: '5',
}

/** The kind of a type flag; undefined for what is not extracted. */
export function kindOf(type: string): TarKind | undefined {
  // Old archives have NUL for a file; 7 is a contiguous one.
  if (type === '\0' || type === '7') return 'file'
  const kinds = ['file', 'folder', 'symlink', 'link', 'device'] as const
  return kinds.find((kind) => typeOfKind[kind] === type)
}

/** Positions and lengths of a header's fields. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  target: [157, 100],
  magic: [257, 8],
  user: [265, 32],
  group: [297, 32],
  major: [329, 8],
  minor: [337, 8],
  prefix: [345, 155],
} as const

type FieldName = keyof typeof fields

function bytesIn(block: Uint8Array, field: FieldName): Uint8Array {
  const [at, length] = fields[field]
  return block.subarray(at, at + length)
}

/** Up to the first NUL. */
function textIn(block: Uint8Array, field: FieldName): string {
  const bytes = bytesIn(block, field)
  const end = bytes.indexOf(0)
  return textOfBytes(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Octal digits, or GNU's big-endian bytes for large numbers; undefined for anything else. */
function numberIn(block: Uint8Array, field: FieldName): number | undefined {
  const bytes = bytesIn(block, field)
  if (((bytes[0] ?? 0) & 0x80) !== 0)
    return bytes.reduce((sum, byte, at) => sum * 256 + (at === 0 ? byte & 0x7f : byte), 0)
  const digits = textIn(block, field).trim()
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : undefined
}

/** The sum of the bytes, with blanks for the checksum itself. */
function checksumOf(block: Uint8Array): number {
  const [start, length] = fields.checksum
  return block.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 32 : byte), 0)
}

/** Reads a block; undefined if it is no header. */
export function headerOf(block: Uint8Array): TarHeader | undefined {
  const magic = textIn(block, 'magic')
  const [size, modified] = [numberIn(block, 'size'), numberIn(block, 'modified')]
  if (!/^(ustar.*)?$/.test(magic) || numberIn(block, 'checksum') !== checksumOf(block))
    return undefined
  if (size === undefined || modified === undefined) return undefined
  // GNU tar has other fields where ustar has the prefix.
  const prefix = magic === 'ustar' ? textIn(block, 'prefix') : ''
  return {
    name: prefix === '' ? textIn(block, 'name') : `${prefix}/${textIn(block, 'name')}`,
    type: String.fromCharCode(bytesIn(block, 'type')[0] ?? 0),
    mode: (numberIn(block, 'mode') ?? 0) & 0o7777,
    modifiedAt: modified * 1000,
    sizeBytes: size,
    target: textIn(block, 'target'),
  }
}

/** The records of a pax header: `LENGTH KEYWORD=VALUE`. */
export function paxRecordsOf(data: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < data.length;) {
    const length = Number.parseInt(textOfBytes(data.subarray(at, at + 20)), 10)
    if (!(length > 0)) break
    const record = textOfBytes(data.subarray(at, at + length - 1)).replace(/^\d+ /, '')
    const equals = record.indexOf('=')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

/** Data, with the zeros that complete its last block. */
export function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(data.length / blockBytes) * blockBytes)
  bytes.set(data)
  return bytes
}

function put(block: Uint8Array, field: FieldName, value: Uint8Array): void {
  const [at, length] = fields[field]
  block.set(value.subarray(0, length), at)
}

function putNumber(block: Uint8Array, field: FieldName, value: number): void {
  const digits = fields[field][1] - 1
  put(block, field, bytesOfText(value.toString(8).padStart(digits, '0')))
}

function headerBlock(header: TarHeader): Uint8Array {
  const block = new Uint8Array(blockBytes)
  put(block, 'name', bytesOfText(header.name))
  putNumber(block, 'mode', header.mode)
  for (const field of ['uid', 'gid'] as const) putNumber(block, field, 0)
  putNumber(block, 'size', header.sizeBytes)
  putNumber(block, 'modified', Math.max(0, Math.floor(header.modifiedAt / 1000)))
  put(block, 'type', bytesOfText(header.type))
  put(block, 'target', bytesOfText(header.target))
  put(block, 'magic', bytesOfText('ustar  '))
  for (const field of ['user', 'group'] as const) put(block, field, bytesOfText('root'))
  // The only device is /dev/null.
  if (header.type === typeOfKind.device) {
    putNumber(block, 'major', 1)
    putNumber(block, 'minor', 3)
  }
  put(block, 'checksum', bytesOfText(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `))
  return block
}

/** A GNU header for a name that does not fit: `L` for an entry's, `K` for a link's target. */
function longName(type: 'L' | 'K', name: string): readonly Uint8Array[] {
  const data = bytesOfText(`${name}\0`)
  const entry = { mode: 0, modifiedAt: 0, target: '', sizeBytes: data.length }
  return data.length <= fields.name[1]
    ? []
    : [headerBlock({ ...entry, name: '././@LongLink', type }), padded(data)]
}

/** The blocks before an entry's data. */
export function headerBlocks({ kind, ...entry }: TarEntry): readonly Uint8Array[] {
  return [
    ...longName('K', entry.target),
    ...longName('L', entry.name),
    headerBlock({ ...entry, type: typeOfKind[kind] }),
  ]
}

/** What ends an archive. */
export const endOfArchive = new Uint8Array(2 * blockBytes)
