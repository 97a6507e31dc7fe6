import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { goQuote } from '../../../shared/go/text.ts'
import type { HostFileError, HostFiles } from '../host/host-files.ts'
import type { Clock, Random } from '../ports.ts'
import type { FileProjection, Payload } from './file-projection.ts'
import { cleanPath } from './path.ts'

const dataName = '..data'
const newDataName = '..data_tmp'
const longest = { name: 255, path: 4096 } as const
const folderMode = 0o755

interface AtomicWriterDeps {
  readonly files: HostFiles
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
}

type Outcome<T = undefined> = Promise<Result<T, string>>

/**
 * Writes the files of a volume, so that a reader sees either all old or all new ones: they are in a folder named by the
 * time, `..data` is a symbolic link to it that is replaced in one step, and each visible name links to `..data/NAME`.
 * Source: pkg/volume/util/atomic_writer.go.
 */
export class AtomicWriter {
  readonly #deps: AtomicWriterDeps

  constructor(deps: AtomicWriterDeps) {
    this.#deps = deps
  }

  /** Whether it is known at once that there is nothing to write. */
  isHeld(folder: string, payload: Payload): boolean {
    const { files } = this.#deps
    if (files.holdsPayload === undefined) return false
    const clean = cleanPayload(payload)
    return clean.ok && files.holdsPayload(folder, clean.value)
  }

  /** The folder must exist. Answers whether anything was written; the error is Go's text. */
  async write(folder: string, payload: Payload): Outcome<boolean> {
    const { files } = this.#deps
    const clean = cleanPayload(payload)
    if (!clean.ok) return clean
    const link = await files.readLink(`${folder}/${dataName}`)
    if (!link.ok && link.error.kind !== 'not-found') return err(link.error.message)
    const old = link.ok ? `${folder}/${link.value}` : undefined
    const removed = old === undefined ? ok([]) : await this.#pathsToRemove(clean.value, old)
    if (!removed.ok) return removed
    const isCurrent =
      old !== undefined && removed.value.length === 0
        ? await this.#isWritten(clean.value, old)
        : ok(false)
    if (!isCurrent.ok) return isCurrent
    if (!isCurrent.value) {
      const published = await this.#publish(folder, clean.value)
      if (!published.ok) return published
    }
    const linked = await this.#link(folder, clean.value)
    if (!linked.ok) return linked
    if (isCurrent.value) return ok(false)
    const stale = removed.value
      .filter((path) => !path.includes('/'))
      .map((name) => `${folder}/${name}`)
    for (const path of old === undefined ? [] : [...stale, old]) {
      const gone = await this.#do(files.remove(path))
      if (!gone.ok) return gone
    }
    return ok(true)
  }

  /** Every path of the old folder that is neither in the payload nor above one of it. */
  async #pathsToRemove(payload: Payload, old: string): Outcome<readonly string[]> {
    const kept = new Set<string>()
    for (const path of payload.keys()) {
      const parts = path.split('/')
      for (let length = 1; length <= parts.length; length++)
        kept.add(parts.slice(0, length).join('/'))
    }
    const found = await this.#walk(old)
    return found.ok ? ok(found.value.filter((path) => !kept.has(path))) : found
  }

  async #walk(folder: string, prefix = ''): Outcome<readonly string[]> {
    const { files } = this.#deps
    const names = await files.list(folder)
    if (!names.ok) return names.error.kind === 'not-found' ? ok([]) : err(names.error.message)
    const paths: string[] = []
    for (const name of names.value) {
      paths.push(`${prefix}${name}`)
      const stat = await files.lstat(`${folder}/${name}`)
      if (!stat.ok) return err(stat.error.message)
      if (stat.value.kind !== 'folder') continue
      const below = await this.#walk(`${folder}/${name}`, `${prefix}${name}/`)
      if (!below.ok) return below
      paths.push(...below.value)
    }
    return ok(paths)
  }

  async #isWritten(payload: Payload, old: string): Outcome<boolean> {
    for (const [path, { data }] of payload) {
      const isSame = await this.#has(`${old}/${path}`, data)
      if (!isSame.ok)
        return isSame.error.kind === 'not-found' ? ok(false) : err(isSame.error.message)
      if (!isSame.value) return ok(false)
    }
    return ok(true)
  }

  async #has(path: string, data: FileProjection['data']): Promise<Result<boolean, HostFileError>> {
    const { files } = this.#deps
    if (typeof data === 'string') {
      const text = await files.readText(path)
      return text.ok ? ok(text.value === data) : text
    }
    const bytes = await files.readBytes(path)
    if (!bytes.ok) return bytes
    const { value } = bytes
    return ok(value.length === data.length && value.every((byte, index) => byte === data[index]))
  }

  /** A new folder with the payload becomes what `..data` links to. */
  async #publish(folder: string, payload: Payload): Outcome {
    const { files } = this.#deps
    const name = this.#folderName()
    const made = await this.#do(files.makeFolder(`${folder}/${name}`, folderMode))
    if (!made.ok) return made
    for (const [path, { data, mode }] of payload) {
      const file = `${folder}/${name}/${path}`
      const above = await this.#do(
        files.makeFolder(file.slice(0, file.lastIndexOf('/')), folderMode),
      )
      if (!above.ok) return above
      const written = await this.#do(files.write(file, data, mode))
      if (!written.ok) return written
    }
    const linked = await this.#do(files.symlink(name, `${folder}/${newDataName}`))
    const renamed = linked.ok
      ? await this.#do(files.rename(`${folder}/${newDataName}`, `${folder}/${dataName}`))
      : linked
    if (!renamed.ok) {
      await files.remove(`${folder}/${newDataName}`)
      await files.remove(`${folder}/${name}`)
    }
    return renamed
  }

  async #link(folder: string, payload: Payload): Outcome {
    const { files } = this.#deps
    const names = new Set([...payload.keys()].map((path) => path.split('/', 1)[0] ?? path))
    for (const name of names) {
      const link = await files.readLink(`${folder}/${name}`)
      if (link.ok || link.error.kind !== 'not-found') continue
      const made = await this.#do(files.symlink(`${dataName}/${name}`, `${folder}/${name}`))
      if (!made.ok) return made
    }
    return ok(undefined)
  }

  /** As Go's os.MkdirTemp names it: `..2006_01_02_15_04_05.` and a random number. */
  #folderName(): string {
    const { clock, random } = this.#deps
    const time = new Date(clock.now()).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)
    return `..${time.replaceAll(/[-T:]/g, '_')}.${Math.floor(random.next() * 2 ** 32)}`
  }

  async #do(call: Promise<Result<undefined, HostFileError>>): Outcome {
    const result = await call
    return result.ok ? result : err(result.error.message)
  }
}

/** A name that is its own clean path, without a fault. */
const plainName = /^[\w-][\w.-]{0,200}$/

function hasPlainNames(payload: Payload): boolean {
  for (const name of payload.keys()) if (!plainName.test(name)) return false
  return true
}

function cleanPayload(payload: Payload): Result<Payload, string> {
  if (hasPlainNames(payload)) return ok(payload)
  const clean = new Map<string, FileProjection>()
  for (const [path, projection] of payload) {
    const problem = pathProblem(path)
    if (problem !== undefined) return err(`invalid path: ${problem}`)
    clean.set(cleanPath(path), projection)
  }
  return ok(clean)
}

function pathProblem(path: string): string | undefined {
  if (path === '') return `must not be empty: ${goQuote(path)}`
  if (path.startsWith('/')) return `must be relative path: ${path}`
  if (path.length > longest.path) return `must be less than or equal to ${longest.path} characters`
  const items = path.split('/')
  for (const item of items) {
    if (item === '..') return `must not contain '..': ${path}`
    if (item.length > longest.name)
      return `filenames must be less than or equal to ${longest.name} characters`
  }
  return (items[0] ?? '').startsWith('..') ? `must not start with '..': ${path}` : undefined
}
