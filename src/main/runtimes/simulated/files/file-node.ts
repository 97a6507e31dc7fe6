import type { FileError } from './file-error.ts'
import { assertNever } from '../../../../shared/assert-never.ts'
import { byteLengthOf, bytesOfText, textOfBytes } from '../../../files/byte-text.ts'

/** A file, folder or link. Mounts and containers share nodes, as they share inodes on Linux. */
export type FileNode = FileContent | Folder | SymbolicLink | Device

interface Common {
  mode: number
  /** ms since the epoch; of a node in memory whole seconds. */
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
  /** The names, sorted. */
  readonly sorted: () => readonly string[]
  /** Moves the node there, or replaces what is there. */
  readonly put: (name: string, node: FileNode) => FileError | undefined
  /** With everything in it. No effect if it is not there. */
  readonly remove: (name: string) => FileError | undefined
}

/** More entries than this are found through a map. */
const maxListed = 8

class ManyEntries extends Map<string, FileNode> {
  /** The names: the kubelet asks for those of all pods every two seconds. */
  sorted: readonly string[] | undefined
}

/**
 * Keeps the time in whole seconds, which is all that programs show: V8 stores such a number in the node itself, but ms since the
 * epoch in an object of its own.
 */
class MemoryNode {
  #modifiedSeconds: number

  constructor(modifiedAt: number) {
    this.#modifiedSeconds = Math.floor(modifiedAt / 1000)
  }

  get modifiedAt(): number {
    return this.#modifiedSeconds * 1000
  }

  set modifiedAt(at: number) {
    this.#modifiedSeconds = Math.floor(at / 1000)
  }
}

/** Names and nodes, alternately: a list without spare capacity. */
type Listed = readonly (string | FileNode)[]

/**
 * A folder in memory, and its entries. Most folders of a node have one entry, which is in the folder itself, or a few, which are in one
 * list; each pod has ten folders.
 */
class MemoryFolder extends MemoryNode implements Folder, FolderEntries {
  readonly mode: number
  /** Set with a single entry, whose node is `#entries` then. */
  #onlyName: string | undefined
  #entries: ManyEntries | Listed | FileNode = noEntries

  constructor(mode: number, modifiedAt: number) {
    super(modifiedAt)
    this.mode = mode
  }

  // Neither of the two is a private method: that would take a field of each folder.
  static #listOf(folder: MemoryFolder): ManyEntries | Listed {
    return folder.#onlyName === undefined
      ? (folder.#entries as ManyEntries | Listed)
      : [folder.#onlyName, folder.#entries as FileNode]
  }

  static #keep(folder: MemoryFolder, listed: Listed): void {
    const [name, node] = listed
    const isOnly = listed.length === 2
    folder.#onlyName = isOnly ? (name as string) : undefined
    if (isOnly) folder.#entries = node as FileNode
    else folder.#entries = listed.length > 2 * maxListed ? manyEntriesOf(listed) : listed
  }

  get kind(): 'folder' {
    return 'folder'
  }

  get entries(): FolderEntries {
    return this
  }

  get size(): number {
    const entries = MemoryFolder.#listOf(this)
    return entries instanceof ManyEntries ? entries.size : entries.length / 2
  }

  get(name: string): FileNode | undefined {
    const entries = MemoryFolder.#listOf(this)
    if (entries instanceof ManyEntries) return entries.get(name)
    const at = placeOf(name, entries)
    // Each name is followed by its node.
    return at === undefined ? undefined : (entries[at + 1] as FileNode)
  }

  keys(): Iterable<string> {
    const entries = MemoryFolder.#listOf(this)
    if (entries instanceof ManyEntries) return entries.keys()
    return entries.filter((part) => typeof part === 'string')
  }

  sorted(): readonly string[] {
    const entries = MemoryFolder.#listOf(this)
    if (!(entries instanceof ManyEntries)) return [...this.keys()].toSorted()
    entries.sorted ??= [...entries.keys()].toSorted()
    return entries.sorted
  }

  put(name: string, node: FileNode): undefined {
    const entries = MemoryFolder.#listOf(this)
    if (entries instanceof ManyEntries) {
      entries.set(name, node)
      entries.sorted = undefined
      return
    }
    const at = placeOf(name, entries)
    MemoryFolder.#keep(
      this,
      at === undefined ? entries.concat([name, node]) : entries.with(at + 1, node),
    )
  }

  remove(name: string): undefined {
    const entries = MemoryFolder.#listOf(this)
    if (entries instanceof ManyEntries) {
      entries.delete(name)
      entries.sorted = undefined
      return
    }
    const at = placeOf(name, entries)
    if (at !== undefined) MemoryFolder.#keep(this, entries.toSpliced(at, 2))
  }
}

function placeOf(name: string, entries: Listed): number | undefined {
  const at = entries.indexOf(name)
  return at === -1 ? undefined : at
}

function manyEntriesOf(listed: Listed): ManyEntries {
  const many = new ManyEntries()
  let name = ''
  for (const part of listed) {
    if (typeof part === 'string') name = part
    else many.set(name, part)
  }
  return many
}

const noEntries: Listed = []

/**
 * A container's own view of a folder of its image, as overlayfs gives one: the image's folder is shared by all containers, and a
 * node of it is copied up when it is first asked for, since what has a node may change it.
 */
class OverlayFolder extends MemoryFolder {
  /** Of the image: never changed. */
  readonly #lower: Folder
  /** Names of the image that were removed here; undefined: none. */
  #whiteouts: Set<string> | undefined

  constructor(lower: Folder) {
    super(lower.mode, lower.modifiedAt)
    this.#lower = lower
  }

  override get size(): number {
    return this.#names().length
  }

  override get(name: string): FileNode | undefined {
    const own = super.get(name)
    if (own !== undefined || this.#whiteouts?.has(name) === true) return own
    const node = this.#lower.entries.get(name)
    if (node === undefined) return undefined
    const copy = copiedUp(node)
    super.put(name, copy)
    return copy
  }

  override keys(): Iterable<string> {
    return this.#names()
  }

  override sorted(): readonly string[] {
    return this.#names().toSorted()
  }

  override remove(name: string): undefined {
    super.remove(name)
    if (this.#lower.entries.get(name) === undefined) return
    this.#whiteouts ??= new Set()
    this.#whiteouts.add(name)
  }

  /** Those of the image first. */
  #names(): readonly string[] {
    const own = [...super.keys()]
    const ofImage = [...this.#lower.entries.keys()].filter(
      (name) => this.#whiteouts?.has(name) !== true,
    )
    const known = new Set(ofImage)
    return [...ofImage, ...own.filter((name) => !known.has(name))]
  }
}

function copiedUp(node: FileNode): FileNode {
  switch (node.kind) {
    case 'folder':
      return new OverlayFolder(node)
    case 'file':
      return newFile(node.data, node.modifiedAt, node.mode)
    case 'symlink':
      return newSymlink(node.target, node.modifiedAt)
    case 'device':
      return newDevice(node.device, node.modifiedAt)
    default:
      return assertNever(node, 'kind of a file')
  }
}

/** What a container sees of a folder of its image. Changes are its own; the image's folder must not change any more. */
export function overlayOf(lower: Folder): Folder {
  return new OverlayFolder(lower)
}

/** A file in memory. */
class MemoryFile extends MemoryNode implements FileContent {
  readonly mode: number
  data: string | Uint8Array
  listeners: Set<() => void> | undefined

  constructor(mode: number, modifiedAt: number, data: string | Uint8Array) {
    super(modifiedAt)
    this.mode = mode
    this.data = data
  }

  get kind(): 'file' {
    return 'file'
  }
}

/** A link in memory. */
class MemoryLink extends MemoryNode implements SymbolicLink {
  readonly target: string

  constructor(target: string, modifiedAt: number) {
    super(modifiedAt)
    this.target = target
  }

  get kind(): 'symlink' {
    return 'symlink'
  }

  get mode(): number {
    return 0o777
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
  return new MemoryFile(mode, at, data)
}

export function newFolder(at: number, mode = 0o755): Folder {
  return new MemoryFolder(mode, at)
}

export function newSymlink(target: string, at: number): FileNode {
  return new MemoryLink(target, at)
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
  if (listeners === undefined) return
  file.listeners = undefined
  for (const listener of listeners) listener()
}

/** In the order in which they were made, or in the order of the disk. */
export function entriesOf({ entries }: Folder): readonly (readonly [string, FileNode])[] {
  return [...entries.keys()].flatMap((name) => {
    const node = entries.get(name)
    return node === undefined ? [] : [[name, node] as const]
  })
}
