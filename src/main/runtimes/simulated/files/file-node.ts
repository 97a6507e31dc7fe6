/** A file, folder or link. Mounts and containers share nodes, as they share inodes on Linux. */
export type FileNode = FileContent | Folder | SymbolicLink | Device

interface Common {
  mode: number
  /** ms since the epoch. */
  modifiedAt: number
}

export interface FileContent extends Common {
  readonly kind: 'file'
  data: string | Uint8Array
}

export interface Folder extends Common {
  readonly kind: 'folder'
  readonly entries: Map<string, FileNode>
}

interface SymbolicLink extends Common {
  readonly kind: 'symlink'
  readonly target: string
}

/** `null` is empty and takes everything; the others lead to the streams of the process. */
interface Device extends Common {
  readonly kind: 'device'
  readonly device: 'null' | 'zero' | 'stdin' | 'stdout' | 'stderr'
}

export function newFile(data: string | Uint8Array, at: number, mode = 0o644): FileContent {
  return { kind: 'file', data, mode, modifiedAt: at }
}

export function newFolder(at: number, mode = 0o755): Folder {
  return { kind: 'folder', entries: new Map(), mode, modifiedAt: at }
}

export function newSymlink(target: string, at: number): FileNode {
  return { kind: 'symlink', target, mode: 0o777, modifiedAt: at }
}

export function textOf({ data }: FileContent): string {
  return typeof data === 'string' ? data : new TextDecoder().decode(data)
}

export function sizeOf(node: FileNode): number {
  if (node.kind === 'symlink') return node.target.length
  if (node.kind !== 'file') return node.kind === 'folder' ? 4096 : 0
  return typeof node.data === 'string' ? Buffer.byteLength(node.data) : node.data.length
}
