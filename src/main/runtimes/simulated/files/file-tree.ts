import type { Result } from '../../../../shared/result.ts'
import { err, ok } from '../../../../shared/result.ts'
import { bytesOfText } from '../../../files/byte-text.ts'
import type { FileError } from './file-error.ts'
import type { FileContent, FileNode, Folder } from './file-node.ts'
import {
  bytesOf,
  entriesOf,
  fileChanged,
  newFile,
  newFolder,
  newSymlink,
  sizeOf,
  textOf,
} from './file-node.ts'
import type { SharedTexts } from './shared-texts.ts'

type Answer<T> = Result<T, FileError>

/** What is mounted at a path of a tree. */
export interface MountedNode {
  readonly node: FileNode
  readonly isReadOnly: boolean
}

/** A path of which everything but possibly the last part exists. */
export interface Place {
  /** Undefined for the root and for the root of a mount: these cannot be removed or replaced. */
  readonly folder: Folder | undefined
  readonly name: string
  readonly node: FileNode | undefined
  readonly isReadOnly: boolean
}

const noMounts: ReadonlyMap<string, MountedNode> = new Map()

/** Linux follows at most 40 symbolic links. */
const maxLinks = 40
/** Larger files are refused, so that an endless loop does not use up the program's memory. */
const maxFileBytes = 16 * 1024 * 1024

/** Files in memory, with what is mounted into them. Paths are absolute. All calls return at once. */
export class FileTree {
  readonly #root: Folder
  readonly #now: () => number
  readonly #mounts: ReadonlyMap<string, MountedNode>
  readonly #texts: SharedTexts | undefined

  constructor(deps: {
    readonly root: Folder
    readonly now: () => number
    /** By path in this tree. */
    readonly mounts?: ReadonlyMap<string, MountedNode>
    /** For a tree of many files, to save memory. */
    readonly texts?: SharedTexts
  }) {
    this.#root = deps.root
    this.#now = deps.now
    this.#mounts = deps.mounts ?? noMounts
    this.#texts = deps.texts
  }

  /** Follows symbolic links, also a last one unless `keepsLink`. */
  find(path: string, keepsLink = false): Answer<Place> {
    return this.#walk(path, keepsLink, { links: 0 })
  }

  /** What is at the path. */
  node(path: string, keepsLink = false): Answer<FileNode> {
    const found = this.find(path, keepsLink)
    if (!found.ok) return found
    return found.value.node === undefined ? err('ENOENT') : ok(found.value.node)
  }

  list(path: string): Answer<readonly string[]> {
    const found = this.node(path)
    if (!found.ok) return found
    if (found.value.kind !== 'folder') return err('ENOTDIR')
    return ok(found.value.entries.sorted())
  }

  /** Creates the file, empty, unless it exists. Fails for what cannot be written to. */
  openForWriting(path: string, mode?: number): Answer<FileNode> {
    const found = this.find(path)
    if (!found.ok) return found
    const { folder, name, node, isReadOnly } = found.value
    if (node?.kind === 'folder') return err('EISDIR')
    if (node?.kind === 'device') return ok(node)
    if (isReadOnly) return err('EROFS')
    if (node !== undefined) return ok(node)
    if (folder === undefined || path.endsWith('/')) return err('EISDIR')
    const file = newFile('', this.#now(), mode)
    const error = this.#put(folder, name, file)
    return error === undefined ? ok(folder.entries.get(name) ?? file) : err(error)
  }

  write(path: string, data: string | Uint8Array, mode?: number): FileError | undefined {
    const opened = this.openForWriting(path, mode)
    if (!opened.ok) return opened.error
    return opened.value.kind === 'file' ? this.setData(opened.value, data) : undefined
  }

  setData(file: FileContent, data: string | Uint8Array): FileError | undefined {
    if (data.length > maxFileBytes) return 'ENOSPC'
    if (file.disk !== undefined) {
      const error = file.disk.write(bytesOf({ data }))
      if (error !== undefined) return error
    } else {
      file.data = data
      file.modifiedAt = this.#now()
    }
    fileChanged(file)
    return undefined
  }

  append(file: FileContent, text: string): FileError | undefined {
    if (file.disk === undefined) return this.setData(file, textOf(file) + text)
    const data = bytesOfText(text)
    return sizeOf(file) + data.length > maxFileBytes ? 'ENOSPC' : file.disk.append(data)
  }

  makeFolder(path: string, mode?: number): FileError | undefined {
    const found = this.find(path)
    if (!found.ok) return found.error
    const { folder, name, node, isReadOnly } = found.value
    if (node !== undefined || folder === undefined) return 'EEXIST'
    if (isReadOnly) return 'EROFS'
    return this.#put(folder, name, newFolder(this.#now(), mode))
  }

  /** Also makes the folders above it. */
  makeFolders(path: string, mode?: number): FileError | undefined {
    // Nearly always there is nothing to make.
    const whole = this.find(path)
    if (whole.ok && whole.value.node?.kind === 'folder') return undefined
    const names = path.split('/').filter((name) => name !== '')
    for (let count = 1; count <= names.length; count++) {
      const part = `/${names.slice(0, count).join('/')}`
      const found = this.find(part)
      if (!found.ok) return found.error
      if (found.value.node?.kind === 'folder') continue
      if (found.value.node !== undefined) return count === names.length ? 'EEXIST' : 'ENOTDIR'
      const error = this.makeFolder(part, mode)
      if (error !== undefined) return error
    }
    return undefined
  }

  symlink(target: string, path: string): FileError | undefined {
    const found = this.find(path, true)
    if (!found.ok) return found.error
    const { folder, name, node, isReadOnly } = found.value
    if (node !== undefined || folder === undefined) return 'EEXIST'
    if (isReadOnly) return 'EROFS'
    return this.#put(folder, name, newSymlink(this.#own(target), this.#now()))
  }

  rename(from: string, to: string): FileError | undefined {
    const source = this.find(from, true)
    if (!source.ok) return source.error
    const target = this.find(to, true)
    if (!target.ok) return target.error
    const { node } = source.value
    if (node === undefined) return 'ENOENT'
    if (source.value.folder === undefined || target.value.folder === undefined) return 'EBUSY'
    if (source.value.isReadOnly || target.value.isReadOnly) return 'EROFS'
    if (source.value.folder.isOnDisk !== target.value.folder.isOnDisk) return 'EXDEV'
    const replaced = target.value.node
    if (replaced === node) return undefined
    if (replaced?.kind === 'folder') {
      if (node.kind !== 'folder') return 'EISDIR'
      if (replaced.entries.size > 0) return 'ENOTEMPTY'
    } else if (replaced !== undefined && node.kind === 'folder') return 'ENOTDIR'
    if (node.kind === 'folder' && isWithin(node, target.value.folder)) return 'EINVAL'
    const error = this.#put(target.value.folder, target.value.name, node)
    return error ?? source.value.folder.entries.remove(source.value.name)
  }

  /** Removes a file, a link, or a folder with everything in it. */
  remove(path: string): FileError | undefined {
    const found = this.find(path, true)
    if (!found.ok) return found.error
    const { folder, name, node, isReadOnly } = found.value
    if (node === undefined) return 'ENOENT'
    if (isReadOnly) return 'EROFS'
    if (folder === undefined || this.#hasMountBelow(path)) return 'EBUSY'
    folder.modifiedAt = this.#now()
    return folder.entries.remove(name)
  }

  #hasMountBelow(path: string): boolean {
    const prefix = `${path.replace(/\/+$/, '')}/`
    return [...this.#mounts.keys()].some((mount) => mount.startsWith(prefix))
  }

  #own(text: string): string {
    return this.#texts?.share(text) ?? text
  }

  #put(folder: Folder, name: string, node: FileNode): FileError | undefined {
    folder.modifiedAt = this.#now()
    return folder.entries.put(this.#own(name), node)
  }

  #walk(path: string, keepsLink: boolean, followed: { links: number }): Answer<Place> {
    const found =
      this.#mounts.size > 0
        ? this.#walkAnywhere(partsOf(path), keepsLink, followed)
        : this.#walkDown(path, keepsLink, followed)
    if (!found.ok || !path.endsWith('/')) return found
    const { node } = found.value
    return node === undefined || node.kind === 'folder' ? found : err('ENOTDIR')
  }

  /** In a tree without mounts. The kubelet asks for thousands of paths a second: none is split, except one that goes back. */
  #walkDown(path: string, keepsLink: boolean, followed: { links: number }): Answer<Place> {
    let folder: Folder | undefined
    let name = ''
    let node: FileNode | undefined = this.#root
    for (let start = 0, end = 0; start < path.length; start = end + 1) {
      end = path.indexOf('/', start)
      if (end === -1) end = path.length
      const part = path.slice(start, end)
      if (part === '' || part === '.') continue
      if (part === '..') return this.#walkAnywhere(partsOf(path), keepsLink, followed)
      if (node === undefined) return err('ENOENT')
      if (node.kind !== 'folder') return err('ENOTDIR')
      folder = node
      name = part
      node = folder.entries.get(name)
      if (node?.kind !== 'symlink') continue
      const rest = partsOf(path.slice(end))
      if (rest.length > 0 || !keepsLink)
        return this.#follow(node.target, path.slice(0, start), { rest, keepsLink, followed })
    }
    return ok({ folder, name, node, isReadOnly: false })
  }

  /** The rest of a path, below what a link in a folder leads to. */
  #follow(
    target: string,
    folder: string,
    {
      rest,
      keepsLink,
      followed,
    }: {
      readonly rest: readonly string[]
      readonly keepsLink: boolean
      readonly followed: { links: number }
    },
  ): Answer<Place> {
    if (++followed.links > maxLinks) return err('ELOOP')
    const base = target.startsWith('/') ? target : `${folder}/${target}`
    return this.#walk([base, ...rest].join('/'), keepsLink, followed)
  }

  #walkAnywhere(
    names: readonly string[],
    keepsLink: boolean,
    followed: { links: number },
  ): Answer<Place> {
    // The folders from the root to the current one, with their paths.
    const above: { readonly place: Place; readonly path: string }[] = []
    let at = ''
    let place: Place = { folder: undefined, name: '', node: this.#root, isReadOnly: false }
    for (const [index, name] of names.entries()) {
      if (place.node === undefined) return err('ENOENT')
      if (place.node.kind !== 'folder') return err('ENOTDIR')
      if (name === '..') {
        const last = above.pop()
        if (last !== undefined) ({ place, path: at } = last)
        continue
      }
      above.push({ place, path: at })
      const next: Place = this.#entry(place.node, `${at}/${name}`, name, place.isReadOnly)
      const isLast = index === names.length - 1
      if (next.node?.kind === 'symlink' && !(isLast && keepsLink)) {
        const rest = names.slice(index + 1)
        return this.#follow(next.node.target, at, { rest, keepsLink, followed })
      }
      at = `${at}/${name}`
      place = next
    }
    return ok(place)
  }

  #entry(folder: Folder, path: string, name: string, isReadOnly: boolean): Place {
    const mount = this.#mounts.get(path)
    if (mount !== undefined) return { ...mount, folder: undefined, name }
    return { folder, name, node: folder.entries.get(name), isReadOnly }
  }
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

function isWithin(outer: Folder, folder: Folder): boolean {
  if (outer === folder) return true
  return entriesOf(outer).some(([, node]) => node.kind === 'folder' && isWithin(node, folder))
}
