import type { FileError } from './file-error.ts'
import { byteLengthOf, bytesOfText, textOfBytes } from '../../../files/byte-text.ts'

/** A file, folder or link. Mounts and containers share nodes, as they share inodes on Linux. */
export type FileNode = FileContent | Folder | SymbolicLink | Device

interface Common {
  readonly mode: number
  /** ms since the epoch. */
  modifiedAt: number
}

export interface FileContent extends Common {
  readonly kind: 'file'
  data: string | Uint8Array
  /** For a file that is not in memory: its content is changed by these. */
  readonly disk?: FileOnDisk
  /** Called once, at the next change. */
  listeners?: Set<() => void> | undefined
}

export interface Folder extends Common {
  readonly kind: 'folder'
  readonly entries: FolderEntries
  readonly isOnDisk?: true
}

export interface FileOnDisk {
  readonly sizeBytes: () => number
  readonly write: (data: Uint8Array) => FileError | undefined
  readonly append: (data: Uint8Array) => FileError | undefined
}

/** The files of a folder, by name. */
export interface FolderEntries {
  readonly size: number
  readonly get: (name: string) => FileNode | undefined
  readonly keys: () => Iterable<string>
  /** Moves the node there, or replaces what is there. */
  readonly put: (name: string, node: FileNode) => FileError | undefined
  /** With everything in it. No effect if it is not there. */
  readonly remove: (name: string) => FileError | undefined
}

/** Files in memory. */
class MemoryEntries extends Map<string, FileNode> implements FolderEntries {
  put(name: string, node: FileNode): undefined {
    this.set(name, node)
  }

  remove(name: string): undefined {
    this.delete(name)
  }
}

interface SymbolicLink extends Common {
  readonly kind: 'symlink'
  readonly target: string
}

/** `null` is empty and takes everything. */
interface Device extends Common {
  readonly kind: 'device'
  readonly device: 'null'
}

export function newFile(data: string | Uint8Array, at: number, mode = 0o644): FileContent {
  return { kind: 'file', data, mode, modifiedAt: at }
}

export function newFolder(at: number, mode = 0o755): Folder {
  return { kind: 'folder', entries: new MemoryEntries(), mode, modifiedAt: at }
}

export function newSymlink(target: string, at: number): FileNode {
  return { kind: 'symlink', target, mode: 0o777, modifiedAt: at }
}

export function textOf({ data }: FileContent): string {
  return typeof data === 'string' ? data : textOfBytes(data)
}

export function bytesOf({ data }: Pick<FileContent, 'data'>): Uint8Array {
  return typeof data === 'string' ? bytesOfText(data) : data
}

export function sizeOf(node: FileNode): number {
  if (node.kind === 'symlink') return node.target.length
  if (node.kind !== 'file') return node.kind === 'folder' ? 4096 : 0
  if (node.disk !== undefined) return node.disk.sizeBytes()
  return typeof node.data === 'string' ? byteLengthOf(node.data) : node.data.length
}

/** `null` is empty and takes everything. */
export function newDevice(device: Device['device'], at: number): FileNode {
  return { kind: 'device', device, mode: 0o666, modifiedAt: at }
}

/** Calls the listener once, when the content changes next. */
export function onFileChange(file: FileContent, listener: () => void): void {
  file.listeners ??= new Set()
  // A process that waits again and again on the same file is one listener of the newest ones.
  if (file.listeners.size >= maxListeners) file.listeners.clear()
  file.listeners.add(listener)
}

const maxListeners = 1000

/** Tells the listeners. */
export function fileChanged(file: FileContent): void {
  const { listeners } = file
  file.listeners = undefined
  for (const listener of listeners ?? []) listener()
}

/** In the order in which they were made, or in the order of the disk. */
export function entriesOf({ entries }: Folder): readonly (readonly [string, FileNode])[] {
  return [...entries.keys()].flatMap((name) => {
    const node = entries.get(name)
    return node === undefined ? [] : [[name, node] as const]
  })
}
