import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryPath } from '../files/temporary-path.ts'
import type { Assets } from '../session/assets.ts'

/** The folder of the example static pods in the assets. */
const examples = 'manifests/static'

/** Creates a folder with the example manifests, atomically. An existing folder belongs to the user and is not changed. */
export async function copyExampleManifests(assets: Assets, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const draft = temporaryPath(folder)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  for (const name of await assets.list(examples)) {
    await writeFile(join(draft, name), await assets.readText(`${examples}/${name}`))
  }
  await rename(draft, folder)
}
