import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManifestFile } from './state-file.ts'

/** The files of a node's manifest folder that a kubelet reads, sorted; none if there is no folder. */
export async function filesOf(node: string, folder: string): Promise<readonly ManifestFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
  return Promise.all(
    names.toSorted().map(async (file) => {
      return { node, file, text: await readFile(join(folder, file), 'utf8') }
    }),
  )
}
