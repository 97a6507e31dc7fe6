import { existsSync } from 'node:fs'

/** A path next to a damaged file or folder that nothing has yet. */
export function asidePath(path: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}-damaged-${number}`
    if (!existsSync(aside)) return aside
  }
}
