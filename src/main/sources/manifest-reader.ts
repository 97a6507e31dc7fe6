import { freezeJson } from '../../shared/json.ts'
import { fileErrorCode, fileErrorText, isMissing } from '../files/file-error.ts'
import type { Hash } from '../kubelet/ports.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import type { EntryFacts, FolderFiles } from './folder-files.ts'
import { readStaticPodFrom } from './static-pod-manifest.ts'
import type { ManifestReading } from './static-pod-manifest.ts'

/** What lies at a path. `digest` changes when a file's content does. */
export type ManifestFile =
  | { readonly kind: 'missing' | 'folder' | 'special' }
  | {
      readonly kind: 'file'
      readonly digest: string
      readonly reading: ManifestReading
      /** Null where it could not be read, or is longer than what anybody would edit. */
      readonly text: string | null
    }

interface Remembered {
  readonly signature: string
  /** False while the file is so young that a write in the same tick of its clock could go unseen. */
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

/** Reads manifests and remembers them, so that looking again every 20 s costs one stat for each file. */
export class ManifestReader {
  readonly #deps: ManifestReaderDeps
  readonly #remembered = new Map<string, Remembered>()

  constructor(deps: ManifestReaderDeps) {
    this.#deps = deps
  }

  /** `isFresh`: the file is known to have been touched, so memory does not count. Never rejects. */
  async read(path: string, { isFresh }: { readonly isFresh: boolean }): Promise<ManifestFile> {
    try {
      const stats = await this.#deps.files.stat(path)
      if (stats.isDirectory()) return { kind: 'folder' }
      if (!stats.isFile()) return { kind: 'special' }
      const remembered = this.#remembered.get(path)
      const signature = signatureOf(stats)
      if (!isFresh && remembered?.isSettled === true && remembered.signature === signature) {
        return remembered.file
      }
      const { file, isGivenUp } = await this.#readFile(path, remembered)
      const ageMs = this.#deps.files.now() - Math.max(stats.mtimeMs, stats.ctimeMs)
      // That a busy machine could not parse it says nothing of the file: the next scan parses it again.
      if (isGivenUp) this.#remembered.delete(path)
      else this.#remembered.set(path, { signature, isSettled: ageMs > settledAfterMs, file })
      return file
    } catch (error) {
      this.#remembered.delete(path)
      if (isMissing(error)) return { kind: 'missing' }
      // Another thing was put in the file's place since it was looked at.
      if (fileErrorCode(error) === 'NOT_REGULAR') return { kind: 'special' }
      return unreadable(fileErrorText(error))
    }
  }

  /** Forgets what is no longer there. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#remembered.keys()) {
      if (!paths.has(path)) this.#remembered.delete(path)
    }
  }

  async #readFile(
    path: string,
    remembered: Remembered | undefined,
  ): Promise<{
    readonly file: ManifestFile & { readonly kind: 'file' }
    readonly isGivenUp: boolean
  }> {
    const text = await this.#deps.files.readText(path)
    const digest = this.#deps.hash.md5Hex(text)
    // The same object as before for the same content, so that comparing it is quick.
    if (remembered?.file.digest === digest) return { file: remembered.file, isGivenUp: false }
    const parsed = await this.#deps.parse(text)
    const reading = readStaticPodFrom(parsed, {
      source: 'file',
      nodeName: this.#deps.nodeName,
      location: path,
      hash: this.#deps.hash,
    })
    // The same pod is handed out again and again.
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
