import type { Result } from '../../../shared/result.ts'

/** Why a call failed. `message` is Go's text: `open /x: no such file or directory`. */
export interface HostFileError {
  readonly kind: 'not-found' | 'exists' | 'not-a-folder' | 'is-a-folder' | 'failed'
  readonly message: string
}

export interface HostFileStat {
  readonly kind: 'file' | 'folder' | 'symlink' | 'socket' | 'block-device' | 'character-device'
  readonly sizeBytes: number
  /** Of the disk, in whole blocks. */
  readonly allocatedBytes: number
  /** Permissions only, such as 0o644. */
  readonly mode: number
}

/** The files of a volume, by path below its folder. */
export type HostPayload = ReadonlyMap<string, { readonly data: string | Uint8Array }>

type Answer<T> = Promise<Result<T, HostFileError>>

/**
 * The node's files, for volumes, logs and termination messages. Paths are absolute. Symbolic links are followed, except
 * the last part of the path in `lstat`, `rename`, `remove` and `readLink`.
 */
export interface HostFiles {
  /** As UTF-8; invalid bytes become U+FFFD. */
  readonly readText: (path: string) => Answer<string>
  /** At most so many bytes of the end, as UTF-8. */
  readonly readEnd: (path: string, maxBytes: number) => Answer<string>
  readonly readBytes: (path: string) => Answer<Uint8Array>
  /** The names in a folder, sorted. */
  readonly list: (path: string) => Answer<readonly string[]>
  readonly stat: (path: string) => Answer<HostFileStat>
  readonly lstat: (path: string) => Answer<HostFileStat>
  readonly readLink: (path: string) => Answer<string>
  /** Creates the file or replaces its content. The folder above must exist. Mode: 0o644 unless given. */
  readonly write: (path: string, data: string | Uint8Array, mode?: number) => Answer<undefined>
  /** Also makes the folders above it; succeeds if it exists. Mode: 0o755 unless given. */
  readonly makeFolder: (path: string, mode?: number) => Answer<undefined>
  /** Fails with `exists` if there is something at the path. */
  readonly symlink: (target: string, path: string) => Answer<undefined>
  /** Replaces what is at `to`, atomically; a folder only if it is empty. */
  readonly rename: (from: string, to: string) => Answer<undefined>
  /** With everything in it; succeeds if there is nothing. */
  readonly remove: (path: string) => Answer<undefined>
  /**
   * Whether a volume's folder has exactly these files, as AtomicWriter writes them, and a link to each; answered at once. It may
   * answer false of one that does. Absent: AtomicWriter reads them one by one.
   */
  readonly holdsPayload?: (folder: string, payload: HostPayload) => boolean
}
