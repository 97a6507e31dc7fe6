import type { Result } from '../../../../shared/result.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { FileError } from './file-error.ts'
import type { FileNode } from './file-node.ts'
import { textOf } from './file-node.ts'
import type { FileTree } from './file-tree.ts'

/** A container's files, as a process with a working folder sees them. */
export class WorkingFolder {
  readonly path: string
  readonly #tree: () => FileTree

  /** The tree is asked for when a file is used first. */
  constructor(tree: () => FileTree, path: string) {
    this.#tree = tree
    this.path = path
  }

  get tree(): FileTree {
    return this.#tree()
  }

  absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.path}/${path}`
  }

  node(path: string, keepsLink = false): Result<FileNode, FileError> {
    // POSIX: an empty path names nothing.
    return path === '' ? err('ENOENT') : this.tree.node(this.absolute(path), keepsLink)
  }

  text(path: string): Result<string, FileError> {
    const found = this.node(path)
    if (!found.ok) return found
    if (found.value.kind === 'folder') return err('EISDIR')
    return ok(found.value.kind === 'file' ? textOf(found.value) : '')
  }

  isFolder(path: string): boolean {
    const found = this.node(path)
    return found.ok && found.value.kind === 'folder'
  }
}

/** The path without `.`, `..` and double slashes, as `cd` and `pwd` have it. */
export function cleanPath(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}
