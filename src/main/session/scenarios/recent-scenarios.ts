import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../../files/file-error.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { readScenario } from './read-scenario.ts'
import type { ReadScenario } from './read-scenario.ts'

/** The oldest are removed. */
const mostKept = 8

const fileOf = (name: string): string => `${name}.yaml`

/** Files by the time of their writing, newest first. */
async function newestFirst(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const files = await Promise.all(
    names
      .filter((name) => /^[a-z0-9-]+\.yaml$/.test(name))
      .map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  )
  return files.toSorted((one, other) => other.at - one.at).map(({ name }) => name)
}

/** Keeps a copy of a scenario that was opened or saved, in a folder for this user alone. Throws as the file system does. */
export async function keepRecent(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await replaceFile(join(folder, fileOf(name)), text)
  for (const old of (await newestFirst(folder)).slice(mostKept)) await rm(join(folder, old))
}

/** The kept scenarios, newest first; those that cannot be read any more are left out. */
export async function recentScenarios(folder: string): Promise<readonly ReadScenario[]> {
  const scenarios: ReadScenario[] = []
  for (const file of await newestFirst(folder)) {
    const read = readScenario(file, await readFile(join(folder, file), 'utf8'))
    if (read.ok) scenarios.push(read.value)
  }
  return scenarios
}
