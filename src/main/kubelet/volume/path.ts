/** Go's filepath.Clean. */
export function cleanPath(path: string): string {
  const isName = !path.includes('/') && path !== '' && path !== '..'
  if (isName) return path
  const isAbsolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    const isBack = part === '..' && parts.length > 0 && parts.at(-1) !== '..'
    if (isBack) parts.pop()
    else if (part !== '..' || !isAbsolute) parts.push(part)
  }
  const clean = parts.join('/')
  return isAbsolute ? `/${clean}` : clean || '.'
}
