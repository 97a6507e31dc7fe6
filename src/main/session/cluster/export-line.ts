/** The shell command that makes kubectl use a kubeconfig (POSIX); a path with blanks or quotes is quoted. */
export function exportLine(path: string): string {
  const safe = /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
  return `export KUBECONFIG=${safe}`
}
