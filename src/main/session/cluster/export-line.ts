/** The line that makes kubectl talk to a cluster, for a POSIX shell; a path with blanks or quotes in it is quoted. */
export function exportLine(path: string): string {
  const safe = /^[\w@%+=:,./~-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
  return `export KUBECONFIG=${safe}`
}
