import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryPath } from '../files/temporary-path.ts'
import type { Assets } from '../session/assets.ts'

/** Where the examples of static pods lie among the assets. */
const examples = 'manifests/static'

/**
 * Puts the example manifests into a folder that does not exist yet. A folder that is there belongs to
 * the user, edited, emptied or not. It appears whole, so that no half copy is taken for the user's.
 */
export async function copyExampleManifests(assets: Assets, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const draft = temporaryPath(folder)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const name of await assets.list(examples)) {
    await writeFile(join(draft, name), await assets.readText(`${examples}/${name}`))
  }
  await rename(draft, folder)
}
