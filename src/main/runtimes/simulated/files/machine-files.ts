import type { Result } from '../../../../shared/result.ts'
import type { FileError } from './file-error.ts'

export interface MachineFileInfo {
  /** `other`: a device, socket or pipe. */
  readonly kind: 'file' | 'folder' | 'symlink' | 'other'
  readonly sizeBytes: number
  readonly mode: number
  /** ms since the epoch. */
  readonly modifiedAt: number
}

/** The files of a machine by calls that return at once. Paths are absolute; a last symbolic link is not followed. */
export interface MachineFiles {
  readonly info: (path: string) => Result<MachineFileInfo, FileError>
  readonly list: (path: string) => Result<readonly string[], FileError>
  readonly read: (path: string) => Result<Uint8Array, FileError>
  readonly readLink: (path: string) => Result<string, FileError>
  /** The mode counts for a new file. */
  readonly write: (path: string, data: Uint8Array, mode?: number) => FileError | undefined
  readonly append: (path: string, data: Uint8Array) => FileError | undefined
  readonly makeFolder: (path: string, mode: number) => FileError | undefined
  readonly symlink: (target: string, path: string) => FileError | undefined
  readonly rename: (from: string, to: string) => FileError | undefined
  /** With everything in it. No error if it is not there. */
  readonly remove: (path: string) => FileError | undefined
  readonly touch: (path: string, modifiedAt: number) => FileError | undefined
}
