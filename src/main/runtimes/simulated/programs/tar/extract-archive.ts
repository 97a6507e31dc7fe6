import { textOfBytes } from '../../../../files/byte-text.ts'
import type { FileError } from '../../files/file-error.ts'
import { bytesOf } from '../../files/file-node.ts'
import type { WorkingFolder } from '../../files/working-folder.ts'
import { fileInput } from '../../process/byte-streams.ts'
import type { Input } from '../../process/byte-streams.ts'
import type { Running } from '../../process/running.ts'
import type { ProgramIo } from '../program.ts'
import { complain } from '../program.ts'
import type { TarEntry } from './tar-header.ts'
import { BrokenArchive, TarReader } from './tar-reader.ts'
import type { TarOptions } from './tar-options.ts'
import { folderOf } from './tar-options.ts'

/** What ends an extraction: busybox stops at the first failure. */
type Failure = readonly [text: string, error: FileError]

function* archiveOf(io: ProgramIo, { archive }: TarOptions): Running<Input | undefined> {
  if (archive === '-') return io.stdin
  const found = io.files.node(archive)
  if (found.ok && found.value.kind === 'file') return fileInput(found.value)
  yield* complain(io, `tar: can't open '${archive}'`, found.ok ? 'EISDIR' : found.error)
  return undefined
}

/** One run of `tar x` or `tar t`. */
class ArchiveExtraction {
  readonly #io: ProgramIo
  readonly #files: WorkingFolder
  readonly #options: TarOptions
  readonly #missing: Set<string>

  constructor(io: ProgramIo, files: WorkingFolder, options: TarOptions) {
    this.#io = io
    this.#files = files
    this.#options = options
    this.#missing = new Set(options.names)
  }

  *run(input: Input): Running<number> {
    const reader = new TarReader(input)
    for (let read = yield* reader.next(); read !== undefined; read = yield* reader.next()) {
      const entry = { ...read.entry, name: safeName(read.entry.name) }
      if (!this.#isWanted(entry.name)) continue
      const failure = yield* this.#take(entry, read.data)
      if (failure === undefined) continue
      yield* complain(this.#io, `tar: ${failure[0]}`, failure[1])
      return 1
    }
    for (const name of this.#missing)
      yield* complain(this.#io, `tar: ${name}: not found in archive`)
    return this.#missing.size > 0 ? 1 : 0
  }

  #isWanted(name: string): boolean {
    const { names } = this.#options
    const wanted = names.filter((one) => name === one || name.startsWith(`${one}/`))
    for (const one of wanted) this.#missing.delete(one)
    return names.length === 0 || wanted.length > 0
  }

  *#take(entry: TarEntry, data: Uint8Array): Running<Failure | undefined> {
    const { flags } = this.#options
    if (flags.has('t') || flags.has('v')) yield* this.#io.write(`${entry.name}\n`)
    if (flags.has('t') || entry.name === '') return undefined
    if (!flags.has('O')) return this.#extract(entry, data)
    if (entry.kind === 'file') yield* this.#io.write(textOfBytes(data))
    return undefined
  }

  #extract(entry: TarEntry, data: Uint8Array): Failure | undefined {
    const { tree } = this.#files
    const path = this.#files.absolute(entry.name).replace(/\/+$/, '')
    const folder = entry.name.replace(/\/?[^/]*\/?$/, '')
    if (folder !== '' && !this.#files.isFolder(folder)) {
      const error = tree.makeFolders(this.#files.absolute(folder))
      if (error !== undefined) return [`can't create directory '${folder}'`, error]
    }
    const old = tree.node(path, true)
    if (entry.kind === 'folder') return this.#makeFolder(entry, path)
    if (old.ok && this.#options.flags.has('k')) return undefined
    if (old.ok && old.value.kind === 'folder')
      return [`can't remove old file ${entry.name}`, 'EISDIR']
    const removal = old.ok ? tree.remove(path) : undefined
    if (removal !== undefined) return [`can't remove old file ${entry.name}`, removal]
    const failure = this.#make(entry, path, data)
    if (failure === undefined) this.#setTime(entry, path)
    return failure
  }

  #make(entry: TarEntry, path: string, data: Uint8Array): Failure | undefined {
    const { tree } = this.#files
    if (entry.kind === 'device') return [`can't create node ${entry.name}`, 'EPERM']
    if (entry.kind === 'symlink') {
      const error = tree.symlink(entry.target, path)
      return error === undefined
        ? undefined
        : [`can't create symlink '${entry.name}' to '${entry.target}'`, error]
    }
    const linked = entry.kind === 'link' ? this.#files.node(safeName(entry.target)) : undefined
    if (linked?.ok === false)
      return [`can't create hardlink '${entry.name}' to '${entry.target}'`, linked.error]
    // Files have one name each: a hard link becomes a copy.
    const content = linked?.value.kind === 'file' ? bytesOf(linked.value) : data
    const error = tree.write(path, content, entry.mode)
    return error === undefined ? undefined : [`can't open '${entry.name}'`, error]
  }

  #makeFolder(entry: TarEntry, path: string): Failure | undefined {
    const { tree } = this.#files
    if (tree.node(path).ok && this.#files.isFolder(entry.name)) return undefined
    const error = tree.makeFolder(path, entry.mode)
    if (error !== undefined)
      return [`can't create directory '${entry.name.replace(/\/$/, '')}'`, error]
    this.#setTime(entry, path)
    return undefined
  }

  #setTime({ modifiedAt }: TarEntry, path: string): void {
    const made = this.#files.tree.node(path, true)
    if (made.ok && !this.#options.flags.has('m')) made.value.modifiedAt = modifiedAt
  }
}

/** Without what would lead out of the folder (busybox strip_unsafe_prefix). */
function safeName(name: string): string {
  return name.replace(/^(.*\/)?\.\.(\/|$)|^\/+/, '').replace(/^(\.\/)+/, '')
}

export function* extractArchive(io: ProgramIo, options: TarOptions): Running<number> {
  const files = yield* folderOf(io, options)
  const input = files === undefined ? undefined : yield* archiveOf(io, options)
  if (files === undefined || input === undefined) return 1
  try {
    return yield* new ArchiveExtraction(io, files, options).run(input)
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw error
    yield* complain(io, `tar: ${error.message}`)
    return 1
  }
}
