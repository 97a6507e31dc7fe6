import type { FileError } from './file-error.ts'
import type { FileContent, FileNode, FileOnDisk, Folder, FolderEntries } from './file-node.ts'
import { bytesOf, newDevice, newSymlink } from './file-node.ts'
import type { MachineFileInfo, MachineFiles } from './machine-files.ts'

/** The file, folder or link at a path of the machine. What it says is what the machine has at that moment. */
abstract class MachineNode {
  readonly path: string
  protected readonly machine: MachineFiles

  constructor(machine: MachineFiles, path: string) {
    this.machine = machine
    this.path = path
  }

  protected get info(): MachineFileInfo | undefined {
    const found = this.machine.info(this.path)
    return found.ok ? found.value : undefined
  }

  get mode(): number {
    return this.info?.mode ?? 0
  }

  /** Stays: what a container may do to files of the machine is limited. */
  set mode(_mode: number) {}

  get modifiedAt(): number {
    return this.info?.modifiedAt ?? 0
  }

  set modifiedAt(at: number) {
    this.machine.touch(this.path, at)
  }
}

class MachineFile extends MachineNode implements FileContent {
  readonly kind = 'file'
  readonly disk: FileOnDisk = {
    sizeBytes: () => this.info?.sizeBytes ?? 0,
    write: (data) => this.machine.write(this.path, data),
    append: (data) => this.machine.append(this.path, data),
  }

  get data(): Uint8Array {
    const read = this.machine.read(this.path)
    return read.ok ? read.value : new Uint8Array()
  }
}

class MachineFolder extends MachineNode implements Folder {
  readonly kind = 'folder'
  readonly isOnDisk = true
  readonly entries: FolderEntries

  constructor(machine: MachineFiles, path: string) {
    super(machine, path)
    const pathOf = (name: string): string => `${path === '/' ? '' : path}/${name}`
    const names = (): readonly string[] => {
      const listed = machine.list(path)
      return listed.ok ? listed.value : []
    }
    this.entries = {
      get size() {
        return names().length
      },
      keys: names,
      sorted: () => names().toSorted(),
      get: (name) => nodeAt(machine, pathOf(name)),
      put: (name, node) => put(machine, pathOf(name), node),
      remove: (name) => machine.remove(pathOf(name)),
    }
  }
}

/** The machine's root folder. */
export function machineRoot(machine: MachineFiles): Folder {
  return new MachineFolder(machine, '/')
}

function nodeAt(machine: MachineFiles, path: string): FileNode | undefined {
  const found = machine.info(path)
  if (!found.ok) return undefined
  const { kind, modifiedAt } = found.value
  if (kind === 'file') return new MachineFile(machine, path)
  if (kind === 'folder') return new MachineFolder(machine, path)
  // Devices, sockets and pipes are not read: they look empty.
  if (kind === 'other') return newDevice('null', modifiedAt)
  const target = machine.readLink(path)
  return target.ok ? newSymlink(target.value, modifiedAt) : undefined
}

function put(machine: MachineFiles, path: string, node: FileNode): FileError | undefined {
  if (node instanceof MachineNode) return machine.rename(node.path, path)
  switch (node.kind) {
    case 'file':
      return machine.write(path, bytesOf(node), node.mode)
    case 'symlink':
      return machine.symlink(node.target, path)
    case 'device':
      return 'EPERM'
    case 'folder':
      return machine.makeFolder(path, node.mode)
  }
}
