/** Errors of file calls, with their text in C; Go's begins with a small letter. */
const texts = {
  ENOENT: 'No such file or directory',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EEXIST: 'File exists',
  ENOTEMPTY: 'Directory not empty',
  EROFS: 'Read-only file system',
  ENOSPC: 'No space left on device',
  ELOOP: 'Too many levels of symbolic links',
  EINVAL: 'Invalid argument',
  EBUSY: 'Resource busy',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EXDEV: 'Invalid cross-device link',
  EIO: 'Input/output error',
} as const

export type FileError = keyof typeof texts

/** The error of that name in C; EIO for others. */
export function fileErrorNamed(name: string): FileError {
  return isFileError(name) ? name : 'EIO'
}

function isFileError(name: string): name is FileError {
  return Object.hasOwn(texts, name)
}

/** strerror. */
export function fileErrorText(error: FileError): string {
  return texts[error]
}
