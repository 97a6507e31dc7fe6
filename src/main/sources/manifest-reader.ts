import { freezeJson } from '../../shared/json.ts'
import { fileErrorCode, fileErrorText, isMissing } from '../files/file-error.ts'
import type { Hash } from '../kubelet/ports.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import type { EntryFacts, FolderFiles } from './folder-files.ts'
import { readStaticPodFrom } from './static-pod-manifest.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

/** An entry of the folder. `digest` changes with the content. */
export type ManifestFile =
  | { readonly kind: 'missing' | 'folder' | 'special' }
  | {
      readonly kind: 'file'
      readonly digest: string
      readonly reading: ManifestReading
      /** Null if it could not be read, or is too long to keep. */
      readonly text: string | null
    }

interface CachedFile {
  readonly signature: string
  /** False while the file is so new that a write in the same tick of its clock could be missed. */
  readonly isSettled: boolean
  readonly file: ManifestFile & { readonly kind: 'file' }
}

const settledAfterMs = 2000
/** Longer texts are not kept in memory. */
const maxKeptLength = 1_048_576

function signatureOf(stats: EntryFacts): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(':')
}

interface ManifestReaderDeps {
  readonly nodeName: string
  readonly hash: Hash
  readonly files: FolderFiles
  readonly parse: ParseText
}

/** Reads and caches manifests, so that a scan of unchanged files costs one stat for each. */
export class ManifestReader {
  readonly #deps: ManifestReaderDeps
  readonly #cache = new Map<string, CachedFile>()

  constructor(deps: ManifestReaderDeps) {
    this.#deps = deps
  }

  /** `isFresh`: the file has changed, so the cache is not used. Never rejects. */
  async read(path: string, { isFresh }: { readonly isFresh: boolean }): Promise<ManifestFile> {
    try {
      const stats = await this.#deps.files.stat(path)
      if (stats.isDirectory()) return { kind: 'folder' }
      if (!stats.isFile()) return { kind: 'special' }
      const cached = this.#cache.get(path)
      const signature = signatureOf(stats)
      if (!isFresh && cached?.isSettled === true && cached.signature === signature) {
        return cached.file
      }
      const { file, isGivenUp } = await this.#readFile(path, cached)
      const ageMs = this.#deps.files.now() - Math.max(stats.mtimeMs, stats.ctimeMs)
      // The parser's deadline depends on the machine, not on the file: the next scan parses it again.
      if (isGivenUp) this.#cache.delete(path)
      else this.#cache.set(path, { signature, isSettled: ageMs > settledAfterMs, file })
      return file
    } catch (error) {
      this.#cache.delete(path)
      if (isMissing(error)) return { kind: 'missing' }
      // Another entry has replaced the file since `stat`.
      if (fileErrorCode(error) === 'NOT_REGULAR') return { kind: 'special' }
      return unreadable(fileErrorText(error))
    }
  }

  /** Removes other files from the cache. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#cache.keys()) {
      if (!paths.has(path)) this.#cache.delete(path)
    }
  }

  async #readFile(
    path: string,
    cached: CachedFile | undefined,
  ): Promise<{
    readonly file: ManifestFile & { readonly kind: 'file' }
    readonly isGivenUp: boolean
  }> {
    const text = await this.#deps.files.readText(path)
    const digest = this.#deps.hash.md5Hex(text)
    // The same content gives the same object, so that it can be compared by identity.
    if (cached?.file.digest === digest) return { file: cached.file, isGivenUp: false }
    const parsed = await this.#deps.parse(text)
    const reading = readStaticPodFrom(parsed, {
      source: 'file',
      nodeName: this.#deps.nodeName,
      location: path,
      hash: this.#deps.hash,
    })
    const kept = text.length <= maxKeptLength ? text : null
    return {
      file: { kind: 'file', digest, reading: freezeJson(reading), text: kept },
      isGivenUp: !parsed.ok && parsed.error.isGivenUp === true,
    }
  }
}

function unreadable(reason: string): ManifestFile & { readonly kind: 'file' } {
  const problem = { line: null, column: null, message: `This file cannot be read: ${reason}.` }
  return { kind: 'file', digest: reason, reading: { kind: 'rejected', problem }, text: null }
}
