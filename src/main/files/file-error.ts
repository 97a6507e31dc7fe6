/** A file that is refused or given up. Its message follows "cannot be read: ", without a period. */
export class FileReadError extends Error {
  readonly code: 'NOT_REGULAR' | 'TOO_LARGE' | 'NO_ANSWER'

  constructor(code: FileReadError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The code of Node's file system, or of a `FileReadError`; empty for any other error. */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** Says in words why a path cannot be read or written. */
export function fileErrorText(error: unknown): string {
  switch (fileErrorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'ENOENT':
    case 'ENOTDIR':
      return 'it does not exist'
    case 'EISDIR':
      return 'it is a folder'
    case 'ENOSPC':
      return 'the disk is full'
    case 'EROFS':
      return 'the file system is read-only'
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open'
    case 'ELOOP':
      return 'its symbolic links go in a circle'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** True for a path that is not there. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error))
}
