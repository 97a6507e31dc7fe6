import { textOfBytes } from '../../../../files/byte-text.ts'
import type { FileNode } from '../../files/file-node.ts'
import { bytesOf, entriesOf } from '../../files/file-node.ts'
import type { WorkingFolder } from '../../files/working-folder.ts'
import type { Running } from '../../process/running.ts'
import type { ProgramIo } from '../program.ts'
import { complain } from '../program.ts'
import type { TarEntry } from './tar-header.ts'
import { endOfArchive, headerBlocks, padded } from './tar-header.ts'
import type { TarOptions } from './tar-options.ts'
import { folderOf } from './tar-options.ts'

/** Written at a time. */
const pieceBytes = 65_536

/** One run of `tar c`. */
class ArchiveWriter {
  readonly #io: ProgramIo
  readonly #files: WorkingFolder
  readonly #options: TarOptions
  /** Of an archive that is a file. */
  readonly #kept: Uint8Array[] = []
  #hasFailed = false
  #saidPrefix = false

  constructor(io: ProgramIo, files: WorkingFolder, options: TarOptions) {
    this.#io = io
    this.#files = files
    this.#options = options
  }

  *run(): Running<number> {
    for (const name of this.#options.names) yield* this.#add(name)
    yield* this.#write(endOfArchive)
    if (this.#hasFailed) yield* complain(this.#io, 'tar: error exit delayed from previous errors')
    if (this.#isToOutput) return this.#hasFailed ? 1 : 0
    const path = this.#io.files.absolute(this.#options.archive)
    const error = this.#io.files.tree.write(path, Buffer.concat(this.#kept))
    if (error !== undefined)
      yield* complain(this.#io, `tar: can't open '${this.#options.archive}'`, error)
    return error !== undefined || this.#hasFailed ? 1 : 0
  }

  get #isToOutput(): boolean {
    return this.#options.archive === '-'
  }

  *#add(path: string): Running<void> {
    const found = this.#files.node(path, !this.#options.flags.has('h'))
    if (!found.ok) {
      this.#hasFailed = true
      yield* complain(this.#io, `tar: ${path}`, found.error)
      return
    }
    const node = found.value
    const name = yield* this.#nameOf(path)
    // Without a name, as of `/`, only what is in it is written.
    if (name !== '') yield* this.#addNode(name, node)
    if (node.kind !== 'folder') return
    for (const [entry] of entriesOf(node)) yield* this.#add(`${path.replace(/\/$/, '')}/${entry}`)
  }

  *#addNode(name: string, node: FileNode): Running<void> {
    const data = node.kind === 'file' ? bytesOf(node) : new Uint8Array()
    const entry = entryOf(name, node, data.length)
    if (this.#options.flags.has('v'))
      yield* this.#io.write(`${entry.name}\n`, this.#isToOutput ? 'stderr' : 'stdout')
    for (const block of headerBlocks(entry)) yield* this.#write(block)
    yield* this.#write(padded(data))
  }

  /** Names in an archive are relative and stay below their folder. */
  *#nameOf(path: string): Running<string> {
    const prefix = /^(.*\/)?\.\.(\/|$)|^\/+/.exec(path)?.[0] ?? ''
    if (prefix !== '' && !this.#saidPrefix) {
      this.#saidPrefix = true
      yield* complain(this.#io, `tar: removing leading '${prefix}' from member names`)
    }
    return path.slice(prefix.length)
  }

  *#write(bytes: Uint8Array): Running<void> {
    if (!this.#isToOutput) {
      this.#kept.push(bytes)
      return
    }
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield* this.#io.write(textOfBytes(bytes.subarray(at, at + pieceBytes)))
  }
}

function entryOf(name: string, node: FileNode, sizeBytes: number): TarEntry {
  const { kind, mode, modifiedAt } = node
  return {
    name: kind === 'folder' ? `${name}/` : name,
    kind,
    mode,
    modifiedAt,
    sizeBytes,
    target: kind === 'symlink' ? node.target : '',
  }
}

export function* createArchive(io: ProgramIo, options: TarOptions): Running<number> {
  const files = yield* folderOf(io, options)
  if (files === undefined) return 1
  if (options.names.length === 0) {
    yield* complain(io, 'tar: empty archive')
    return 1
  }
  return yield* new ArchiveWriter(io, files, options).run()
}
