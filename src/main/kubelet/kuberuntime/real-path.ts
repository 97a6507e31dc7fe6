import type { HostFiles } from '../host/host-files.ts'

/** As Go's filepath.EvalSymlinks has it. */
const maxLinks = 255

/** An absolute path without symbolic links; undefined: there is nothing, or it cannot be read. */
export async function realPath(path: string, files: HostFiles): Promise<string | undefined> {
  let real = ''
  const left = path.split('/')
  for (let links = 0; left.length > 0;) {
    const part = left.shift() ?? ''
    if (part === '' || part === '.') continue
    if (part === '..') {
      real = real.slice(0, real.lastIndexOf('/'))
      continue
    }
    const stat = await files.lstat(`${real}/${part}`)
    if (!stat.ok) return undefined
    if (stat.value.kind !== 'symlink') {
      real = `${real}/${part}`
      continue
    }
    const target = await files.readLink(`${real}/${part}`)
    if (!target.ok || ++links > maxLinks) return undefined
    if (target.value.startsWith('/')) real = ''
    left.unshift(...target.value.split('/'))
  }
  return real === '' ? '/' : real
}
