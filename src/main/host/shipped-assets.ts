import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Assets } from '../session/assets.ts'

/** The shipped files, in a folder next to the bundle. */
export function shippedAssets(folder: string): Assets {
  return {
    list: async (name) => {
      const entries = await readdir(join(folder, name), { withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
        .sort()
    },
    readText: (name) => readFile(join(folder, name), 'utf8'),
  }
}
