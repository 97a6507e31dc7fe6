/** How Go prints the errors of the system that a connection may have. */
const texts: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'cannot assign requested address',
  ECONNABORTED: 'software caused connection abort',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  EINVAL: 'invalid argument',
  EMFILE: 'too many open files',
  ENETUNREACH: 'network is unreachable',
  EPERM: 'operation not permitted',
  EPIPE: 'broken pipe',
  ETIMEDOUT: 'connection timed out',
}

/** The code of an error of Node.js; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** The error of the system in Go's words. */
export function errnoText(error: unknown): string {
  const code = codeOf(error)
  return texts[code] ?? (code === '' ? String(error) : code)
}
