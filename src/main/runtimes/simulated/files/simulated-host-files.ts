import type { Result } from '../../../../shared/result.ts'
import { err, ok } from '../../../../shared/result.ts'
import type {
  HostFileError,
  HostFiles,
  HostFileStat,
  HostPayload,
} from '../../../kubelet/host/host-files.ts'
import { legibleText } from '../../../files/byte-text.ts'
import type { FileError } from './file-error.ts'
import { fileErrorText } from './file-error.ts'
import type { FileNode } from './file-node.ts'
import { bytesOf, newFolder, sizeOf, textOf } from './file-node.ts'
import { FileTree } from './file-tree.ts'
import { holdsPayload } from './held-payload.ts'
import { SharedTexts } from './shared-texts.ts'

const kinds: Partial<Record<FileError, HostFileError['kind']>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  ENOTDIR: 'not-a-folder',
  EISDIR: 'is-a-folder',
}

function failure(call: string, path: string, error: FileError): Result<never, HostFileError> {
  const text = fileErrorText(error)
  const message = `${call} ${path}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return err({ kind: kinds[error] ?? 'failed', message })
}

/** The files of a simulated node, in memory. A reboot keeps them, as a disk does. */
export class SimulatedHostFiles implements HostFiles {
  /** What the runtime mounts into containers. */
  readonly tree: FileTree

  constructor(deps: { readonly now: () => number }) {
    const { now } = deps
    this.tree = new FileTree({ root: newFolder(now()), now, texts: new SharedTexts() })
    for (const folder of ['/etc', '/tmp', '/var/lib/kubelet', '/var/log/pods', '/var/run'])
      this.tree.makeFolders(folder)
    this.tree.write('/etc/hosts', '127.0.0.1\tlocalhost\n')
  }

  async readText(path: string): Promise<Result<string, HostFileError>> {
    const found = this.tree.node(path)
    if (!found.ok) return failure('open', path, found.error)
    if (found.value.kind === 'folder') return failure('read', path, 'EISDIR')
    return ok(found.value.kind === 'file' ? legibleText(textOf(found.value)) : '')
  }

  async readEnd(path: string, maxBytes: number): Promise<Result<string, HostFileError>> {
    const read = await this.readBytes(path)
    return read.ok ? ok(new TextDecoder().decode(read.value.slice(-maxBytes))) : read
  }

  async readBytes(path: string): Promise<Result<Uint8Array, HostFileError>> {
    const found = this.tree.node(path)
    if (!found.ok) return failure('open', path, found.error)
    if (found.value.kind === 'folder') return failure('read', path, 'EISDIR')
    return ok(bytesOf(found.value.kind === 'file' ? found.value : { data: '' }))
  }

  async list(path: string): Promise<Result<readonly string[], HostFileError>> {
    const names = this.tree.list(path)
    return names.ok ? names : failure('open', path, names.error)
  }

  async stat(path: string): Promise<Result<HostFileStat, HostFileError>> {
    const found = this.tree.node(path)
    return found.ok ? ok(statOf(found.value)) : failure('stat', path, found.error)
  }

  async lstat(path: string): Promise<Result<HostFileStat, HostFileError>> {
    const found = this.tree.node(path, true)
    return found.ok ? ok(statOf(found.value)) : failure('lstat', path, found.error)
  }

  async readLink(path: string): Promise<Result<string, HostFileError>> {
    const found = this.tree.node(path, true)
    if (!found.ok) return failure('readlink', path, found.error)
    if (found.value.kind !== 'symlink') return failure('readlink', path, 'EINVAL')
    return ok(found.value.target)
  }

  async write(
    path: string,
    data: string | Uint8Array,
    mode?: number,
  ): Promise<Result<undefined, HostFileError>> {
    return answer('open', path, this.tree.write(path, data, mode))
  }

  async makeFolder(path: string, mode?: number): Promise<Result<undefined, HostFileError>> {
    const error = this.tree.makeFolders(path, mode)
    // Go's os.MkdirAll says so of a file in the way.
    return answer('mkdir', path, error === 'EEXIST' ? 'ENOTDIR' : error)
  }

  async symlink(target: string, path: string): Promise<Result<undefined, HostFileError>> {
    return answer('symlink', `${target} ${path}`, this.tree.symlink(target, path))
  }

  async rename(from: string, to: string): Promise<Result<undefined, HostFileError>> {
    return answer('rename', `${from} ${to}`, this.tree.rename(from, to))
  }

  async remove(path: string): Promise<Result<undefined, HostFileError>> {
    const error = this.tree.remove(path)
    return answer('unlinkat', path, error === 'ENOENT' ? undefined : error)
  }

  holdsPayload(path: string, payload: HostPayload): boolean {
    const found = this.tree.node(path)
    return found.ok && found.value.kind === 'folder' && holdsPayload(found.value, payload)
  }
}

function answer(
  call: string,
  path: string,
  error: FileError | undefined,
): Result<undefined, HostFileError> {
  return error === undefined ? ok(undefined) : failure(call, path, error)
}

/** As most disks have. */
const blockBytes = 4096

function statOf(node: FileNode): HostFileStat {
  const kind = node.kind === 'device' ? 'character-device' : node.kind
  const sizeBytes = sizeOf(node)
  // A short link lies in its inode.
  const blocks = kind === 'symlink' ? 0 : Math.ceil(sizeBytes / blockBytes)
  return { kind, sizeBytes, allocatedBytes: blocks * blockBytes, mode: node.mode }
}
